# grade
