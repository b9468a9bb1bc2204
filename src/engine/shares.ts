import type { Share } from '../domain/work/fair-share.ts';
import { fairShare } from '../domain/work/fair-share.ts';
import type { Store } from '../store/store.ts';

/** What a server has a turn at a host for. */
export const TURN_KINDS = ['task', 'check'] as const;
export type TurnKind = (typeof TURN_KINDS)[number];

/** Of each kind. */
export type ByKind<T> = Readonly<Record<TurnKind, T>>;

/** More servers than this do not share evenly at once when very much is due, but by and by. */
const MANY_SERVERS = 20;

const whole = (room: number): Share => ({ take: room, lookInMs: 0 });

/** How much of what is due this server takes now, and leaves to the others. */
export async function sharesOf(
  { reads }: Pick<Store, 'reads'>,
  owner: string,
  { room, nowMs, isAlone }: { room: ByKind<number>; nowMs: number; isAlone: boolean },
): Promise<ByKind<Share>> {
  if (isAlone) return { task: whole(room.task), check: whole(room.check) };
  const limit = MANY_SERVERS * Math.max(room.task, room.check, 1);
  const { servers, work, check } = await reads.agenda.loads(owner, nowMs, limit);
  return {
    task: fairShare(work, { servers, nowMs, room: room.task }),
    check: fairShare(check, { servers, nowMs, room: room.check }),
  };
}
