import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { IncomingMessage } from 'node:http';
import { findProcesses } from '../programs/proc-files.ts';

const CHANNEL = 'http.server.request.start';

export interface RecordedRequest {
  readonly from: string;
  readonly requestLine: string;
  /**
   * Command lines and environments of all processes of this machine and its test hosts while the client waits
   * for the response.
   */
  readonly processes: string;
}

/** Records requests to a server in this process by method and path. */
export function recordRequests(filter: string): {
  readonly recorded: readonly RecordedRequest[];
  stop(): void;
} {
  const recorded: RecordedRequest[] = [];
  const record = (message: unknown) => {
    const request = message instanceof Object && 'request' in message ? message.request : undefined;
    if (!(request instanceof IncomingMessage)) return;
    const requestLine = `${request.method} ${request.url}`;
    if (requestLine !== filter) return;
    const all = findProcesses('').map(found => `${found.commandLine}\n${found.environment}`);
    recorded.push({ from: request.socket.remoteAddress ?? '', requestLine, processes: all.join('\n') });
  };
  subscribe(CHANNEL, record);
  return { recorded, stop: () => unsubscribe(CHANNEL, record) };
}
