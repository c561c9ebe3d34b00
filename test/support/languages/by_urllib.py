"""Sends each case by urllib, and prints what it sees. A case: address, authorization, Content-Encoding, close or keep."""
import ssl, sys, urllib.error, urllib.request

insecure = ssl._create_unverified_context()
for case in sys.argv[2:]:
    url, authorization, coding, connection = case.split('|')
    body = b'x' * int(sys.argv[1])
    headers = {'Content-Type': 'application/json', 'Connection': connection}
    if authorization:
        headers['Authorization'] = authorization
    if coding:
        headers['Content-Encoding'] = coding
    request = urllib.request.Request(url, body, headers, method='POST')
    try:
        print(urllib.request.urlopen(request, timeout=120, context=insecure).status)
    except urllib.error.HTTPError as answer:
        print(answer.status)
    except OSError as error:
        print(error)
