/** Sends each case by node:http or fetch, and prints what it sees. A case: address, authorization, Content-Encoding, close or keep. */
import http from 'node:http';
import https from 'node:https';

process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
const [, , by, bytes, ...cases] = process.argv;
const body = Buffer.alloc(Number(bytes), 'x');

const byHttp = (url, headers) =>
  new Promise((resolve) => {
    const { request } = url.startsWith('https:') ? https : http;
    const agent = headers.Connection === 'close' ? false : undefined;
    const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    });
    sent.on('error', (error) => resolve(error.message)).end(body);
  });

const byFetch = async (url, headers) => {
  const { Connection, ...others } = headers;
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: Connection === 'close' ? headers : others,
      body,
    });
    await answer.text();
    return answer.status;
  } catch (error) {
    return String(error.cause ?? error);
  }
};

for (const one of cases) {
  const [url, authorization, coding, connection] = one.split('|');
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    Connection: connection === 'close' ? 'close' : 'keep-alive',
    ...(authorization !== '' && { Authorization: authorization }),
    ...(coding !== '' && { 'Content-Encoding': coding }),
  };
  if (by === 'fetch') delete headers['Content-Length'];
  console.log(await (by === 'fetch' ? byFetch : byHttp)(url, headers));
}
process.exit();
