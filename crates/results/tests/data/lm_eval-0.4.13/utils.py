def process_results(doc, results):
    r = results[0]
    return {"right": float(doc["answer"] in r), "length": len(r)}
