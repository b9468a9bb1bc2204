import Type from 'typebox';
import type { JsonAnswer, JsonServer } from '../json-server.ts';
import { reading } from '../reading.ts';
import { ServerFailure } from '../server-failure.ts';
import type { EtcdMembers } from './etcd-members.ts';
import { EtcdRefusal } from './etcd-refusal.ts';
import { encoded, encodedEnd } from './gateway.ts';

/** Why a watch goes on no longer. */
export type WatchEnd =
  /** We wanted no more. */
  | 'stopped'
  /** The member ended it, such as when it has lost its leader. */
  | 'canceled'
  /** What was to be told is not kept any more. */
  | 'compacted'
  /** The connection was cut, or nothing was told for long. */
  | 'cut';

const readNotice = reading(
  'a watch event of etcd',
  Type.Object({
    result: Type.Optional(
      Type.Object({
        created: Type.Optional(Type.Boolean()),
        canceled: Type.Optional(Type.Boolean()),
        compact_revision: Type.Optional(Type.String()),
        events: Type.Optional(Type.Array(Type.Unknown())),
      }),
    ),
  }),
);

type Notices = AsyncGenerator<JsonAnswer>;

/** Begins with the first member that lets us; once it has begun, that it ends is an answer and no failure. */
export async function watchPrefix(
  members: EtcdMembers,
  prefix: string,
  changed: () => void,
  signal: AbortSignal,
): Promise<WatchEnd> {
  const notices = await members.ask(server => begin(server, prefix, signal));
  if (notices === undefined) return 'stopped';
  changed();
  try {
    for await (const { body } of notices) {
      const { result } = readNotice(body);
      if (result === undefined) return 'canceled';
      if (result.canceled) return result.compact_revision === undefined ? 'canceled' : 'compacted';
      if (result.events !== undefined) changed();
    }
  } catch (error) {
    if (!(error instanceof ServerFailure)) throw error;
  }
  return signal.aborted ? 'stopped' : 'cut';
}

/** `undefined`: we want no more before it has begun. */
async function begin(server: JsonServer, prefix: string, signal: AbortSignal): Promise<Notices | undefined> {
  const body = { create_request: { key: encoded(prefix), range_end: encodedEnd(prefix) } };
  const notices = server.lines({ method: 'POST', path: '/v3/watch', body, signal });
  const first = await notices.next();
  if (signal.aborted) return undefined;
  const problem = problemWith(server, first.done ? undefined : first.value);
  if (problem === undefined) return notices;
  await notices.return(undefined);
  throw problem;
}

function problemWith(server: JsonServer, first: JsonAnswer | undefined): Error | undefined {
  if (first !== undefined && first.status !== 200)
    return new EtcdRefusal(server.name, first, server.isVerified);
  const { created, canceled } = (first && readNotice(first.body).result) ?? {};
  // With accounts on, etcd says both at once, and nothing more.
  return created && !canceled
    ? undefined
    : new ServerFailure('unreadable', `${server.name} did not start the watch`);
}
