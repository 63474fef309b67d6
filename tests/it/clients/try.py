"""Uses the client as a program would, and prints what it saw as JSON."""

import json
import sys

from scrutineer import Client, Refused

url, token, owner = sys.argv[1:]
client = Client(url, token=token)
seen = {"title": client.list_tournaments()["tournaments"][0]["tournament"]["title"]}
seen["players"] = client.get_tournament("Friday")["players"]
seen["unchanged"] = client.get_tournament("Friday", if_none_match=client.etag)
order = {"order": "note", "text": "from python3"}
seen["first"] = client.give_orders("Friday", order, idempotency_key="python")["first_seq"]
seen["again"] = client.give_orders("Friday", order, idempotency_key="python")["first_seq"]
try:
    client.give_orders("Friday", {"order": "result", "slip": "1 2-0"})
except Refused as refused:
    seen["refused"] = refused.code
orders = [{"order": "note", "text": "one of two"}, {"order": "drop", "player": "Nobody"}]
seen["lines"] = [[line["line"], line["status"]] for line in client.give_orders("Friday", orders)]
seen["checked"] = client.check_ruleset('name = "x"')["error"]["message"]
seen["bundle"] = client.get_bundle("Friday")[:20].decode()
seen["workbook"] = len(Client(url, token=owner).export_file("Friday", "workbook", None))
for told in client.watch("Friday", last_event_id="1"):
    seen["watched"] = told["event"]
    break
print(json.dumps(seen))
