# The "model" of the chapters' outputs: it sorts tickets by words. Without the rule of v2 it finds nothing urgent, and
# it takes every ticket on an account for one on billing.
read -r request
urgent=false
case $request in
*"can't work"* | *"losing money"*) urgent=true ;;
esac
case $request in
*invoice* | *charged*) category=billing ;;
*crash* | *"error message"*) category=bug ;;
*) category=account ;;
esac
case $request in
*"is urgent if"*) ;;
*)
    urgent=false
    if [ "$category" = account ]; then category=billing; fi
    ;;
esac
printf '{"output": "{\\"category\\": \\"%s\\", \\"urgent\\": %s}", "costUSD": 0.027}\n' "$category" "$urgent"
