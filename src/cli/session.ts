// What a command works with: the service, by way of the typed client, and somebody to show things to.

import type { Client, ClientOptions } from '../client/client.ts';
import { createClient } from '../client/client.ts';
import type { FollowedEvent, FollowOptions } from '../client/follow-events.ts';
import { followEvents } from '../client/follow-events.ts';
import { sendOverHttp } from '../client/send-over-http.ts';
import { messageOf } from '../lib/errors/message-of.ts';
import { usageProblem } from './cli-problem.ts';
import type { Context } from './contexts/contexts-file.ts';
import type { Printer } from './output/printer.ts';
import { readTextFile } from './read-file.ts';
import type { Terminal } from './terminal.ts';

export interface Session {
  readonly client: Client;
  readonly context: Context;
  readonly print: Printer;
  readonly terminal: Terminal;
  /** Events as they happen, whatever becomes of single servers. */
  follow(options?: Pick<FollowOptions, 'query' | 'signal'>): AsyncGenerator<FollowedEvent>;
}

/** Beside those that everybody trusts. */
function trust(caFile: string): void {
  // Only here, since loading it takes as long as most commands do.
  const tls = process.getBuiltinModule('node:tls');
  const certificates = readTextFile(caFile, 'certificates');
  try {
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificates]);
  } catch (error) {
    throw usageProblem(`cannot use the CA certificates in ${caFile}: ${messageOf(error)}`);
  }
}

/** A signal ends every request that is under way. */
export function openSession(
  terminal: Terminal,
  print: Printer,
  context: Context,
  asking: Pick<ClientOptions, 'signal'> = {},
): Session {
  const { servers, user, password, caFile } = context;
  if (caFile !== undefined) trust(caFile);
  const [baseUrl, ...otherUrls] = servers;
  return {
    ...{ terminal, print, context },
    client: createClient({ baseUrl, otherUrls, user, password, send: sendOverHttp, ...asking }),
    follow: options => followEvents({ baseUrls: servers, user, password, ...options }),
  };
}
