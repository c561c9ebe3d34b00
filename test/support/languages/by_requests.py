"""Sends each case by requests, and prints what it sees. A case: address, authorization, Content-Encoding, close or keep."""
import sys

import requests

requests.packages.urllib3.disable_warnings()
session = requests.Session()
for case in sys.argv[2:]:
    url, authorization, coding, connection = case.split('|')
    headers = {'Content-Type': 'application/json'}
    if connection == 'close':
        headers['Connection'] = 'close'
    if authorization:
        headers['Authorization'] = authorization
    if coding:
        headers['Content-Encoding'] = coding
    try:
        print(session.post(url, b'x' * int(sys.argv[1]), headers=headers, timeout=120, verify=False).status_code)
    except requests.RequestException as error:
        print(error)
