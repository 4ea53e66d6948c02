"""Arithmetic, reversed texts, palindromes."""


def evaluate(expression):
    """The value of an expression with + - * / % ** ^ and parentheses."""
    text = expression.replace("**", "^")
    place = 0

    def peek():
        nonlocal place
        while place < len(text) and text[place].isspace():
            place += 1
        return text[place] if place < len(text) else ""

    def take(symbols):
        nonlocal place
        symbol = peek()
        if symbol and symbol in symbols:
            place += 1
            return symbol
        return ""

    def total():
        value = product()
        while symbol := take("+-"):
            value = value + product() if symbol == "+" else value - product()
        return value

    def product():
        value = signed()
        while symbol := take("*/%"):
            other = signed()
            if symbol == "*":
                value *= other
            elif other == 0:
                raise ValueError("division by zero")
            else:
                value = value / other if symbol == "/" else value % other
        return value

    def signed():
        if take("-"):
            return -signed()
        take("+")
        value = atom()
        return value ** signed() if take("^") else value

    def atom():
        nonlocal place
        if take("("):
            value = total()
            if not take(")"):
                raise ValueError("a parenthesis is missing")
            return value
        peek()
        start = place
        while place < len(text) and (text[place].isdigit() or text[place] == "."):
            place += 1
        if start == place:
            raise ValueError(f"unexpected {text[place:] or 'end'}")
        return float(text[start:place])

    value = total()
    if peek():
        raise ValueError(f"unexpected {text[place:]}")
    return value


def written(value):
    return str(int(value)) if value == int(value) else repr(value)


def solve(task):
    """The answer to one task: a text or a truth."""
    if "expression" in task:
        return written(evaluate(task["expression"]))
    text = task["text"]
    if task["operation"] == "reverse":
        return text[::-1]
    if task["operation"] == "palindrome":
        letters = [letter.lower() for letter in text if letter.isalnum()]
        return letters == letters[::-1]
    raise ValueError(f"unknown operation {task['operation']}")
