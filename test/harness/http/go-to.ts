import type { RawAnswer } from './raw-connection.ts';
import { RawConnection } from './raw-connection.ts';

const NAVIGATION = { 'sec-fetch-mode': 'navigate', accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** Asks as a browser does for what somebody goes to; `fetch` would say that a script asks. */
export async function goTo(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<RawAnswer> {
  const connection = new RawConnection(url);
  const lines = Object.entries({ host: 'x', ...NAVIGATION, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  connection.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const answer = await connection.answer();
  connection.close();
  if (answer === undefined) throw new Error(`${path} is not answered`);
  return answer;
}
