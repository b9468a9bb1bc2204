import { errorMessage } from '../lib/errors.ts';
import type { Client } from '../sdk/client.ts';
import { createClient, createRequestSender } from '../sdk/client.ts';
import type { StreamEvent, StreamOptions } from '../sdk/event-stream.ts';
import { streamEvents } from '../sdk/event-stream.ts';
import { nodeTransport } from '../sdk/node-transport.ts';
import type { Context } from './contexts/contexts-file.ts';
import { usageError } from './errors.ts';
import { readTextFile } from './input/files.ts';
import type { Printer } from './output/printer.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface Session {
  readonly client: Client;
  readonly context: Context;
  readonly printer: Printer;
  readonly terminal: Terminal;
  /** Sends a request to a path. */
  readonly send: ReturnType<typeof createRequestSender>;
  follow(options?: Pick<StreamOptions, 'query' | 'signal'>): AsyncGenerator<StreamEvent>;
}

/** For commands that send no requests. */
export type LocalSession = Pick<Session, 'terminal' | 'printer'>;

/** In addition to the default CA certificates. */
function addCaCertificates(caFile: string): void {
  // Loaded on demand, because it takes as long as most commands.
  const tls = process.getBuiltinModule('node:tls');
  const certificates = readTextFile(caFile, 'certificates');
  try {
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificates]);
  } catch (error) {
    throw usageError(`cannot use the CA certificates in ${caFile}: ${errorMessage(error)}`);
  }
}

/** `signal` aborts all pending requests. */
export function openSession(terminal: Terminal, printer: Printer, context: Context, signal?: AbortSignal): Session {
  const { servers, user, password, caFile } = context;
  if (caFile !== undefined) addCaCertificates(caFile);
  const [baseUrl, ...fallbackUrls] = servers;
  const options = { baseUrl, fallbackUrls, user, password, transport: nodeTransport, signal };
  return {
    terminal,
    printer,
    context,
    client: createClient(options),
    send: createRequestSender(options),
    follow: options => streamEvents({ baseUrls: servers, user, password, ...options }),
  };
}
