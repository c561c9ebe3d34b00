"""Follows a stream of events as the standard of EventSource says, and prints the record of each change. Arguments: address, authorization."""
import json, sys, time, urllib.request

last = ''
while True:
    headers = {'Authorization': sys.argv[2], 'Accept': 'text/event-stream'}
    if last:
        headers['Last-Event-ID'] = last
    try:
        with urllib.request.urlopen(urllib.request.Request(sys.argv[1], headers=headers), timeout=60) as answer:
            event, data, noted = '', [], last
            for line in answer:
                line = line.decode().rstrip('\r\n')
                name, _, value = line.partition(':')
                value = value.removeprefix(' ')
                if line == '':
                    last = noted
                    if event == 'change':
                        print(json.loads('\n'.join(data))['record'], flush=True)
                    event, data = '', []
                elif name == 'event':
                    event = value
                elif name == 'data':
                    data.append(value)
                elif name == 'id':
                    noted = value
    except OSError:
        pass
    except Exception:  # A stream that is cut midway.
        pass
    time.sleep(0.2)
