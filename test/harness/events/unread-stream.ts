import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connectTo } from '../http/both-ends.ts';
import type { TestService } from '../service.ts';
import { ADMIN_PASSWORD, basic } from '../service.ts';
import { happened, leaveWord } from './happened.ts';

/** A request for events, but for its end. */
export const EVENTS_REQUEST = `GET /api/v0/events HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(`admin:${ADMIN_PASSWORD}`)}\r\n`;

/** More than the system keeps on the way between two programs. */
export const LARGE_BYTES = 20_000_000;

/** One who asks for events and reads none but the greeting: both ends of the connection. */
export async function openUnread({ url }: TestService): Promise<{ client: Socket; server: Socket }> {
  const ends = await connectTo(url);
  ends.client.write(`${EVENTS_REQUEST}\r\n`);
  const [answer] = await once(ends.client, 'data');
  if (!String(answer).startsWith('HTTP/1.1 200 ')) throw new Error(`no events: ${answer}`);
  ends.client.pause();
  return ends;
}

/** Has an event of so many bytes. */
export const tellMuch = ({ store }: TestService, bytes: number): Promise<void> =>
  leaveWord(store, happened('much', { dataJson: JSON.stringify({ text: 'x'.repeat(bytes) }) }));
