import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { IncomingMessage } from 'node:http';
import { processesNaming } from '../programs/processes-naming.ts';

const CHANNEL = 'http.server.request.start';

export interface WatchedRequest {
  readonly from: string;
  /** Method and path. */
  readonly what: string;
  /** Command lines and environments of all processes of this machine, those of its test hosts too, while the sender waits for its answer. */
  readonly processes: string;
}

/** Notes each request that a server in this process gets and that is wanted, by its method and path. */
export function watchRequests(wanted: string): { readonly seen: readonly WatchedRequest[]; stop(): void } {
  const seen: WatchedRequest[] = [];
  const note = (message: unknown) => {
    const request = message instanceof Object && 'request' in message ? message.request : undefined;
    if (!(request instanceof IncomingMessage)) return;
    const what = `${request.method} ${request.url}`;
    if (what !== wanted) return;
    const all = processesNaming('').map(each => `${each.commandLine}\n${each.environment}`);
    seen.push({ from: request.socket.remoteAddress ?? '', what, processes: all.join('\n') });
  };
  subscribe(CHANNEL, note);
  return { seen, stop: () => unsubscribe(CHANNEL, note) };
}
