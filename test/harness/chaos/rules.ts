// What must hold of a restart while servers die, told from the hosts' own diary and from what people were answered. Each rule answers
// what is wrong, in words.

import type { Diary, HostDiary } from './diary.ts';

/** From when to when something was so, in milliseconds since 1970. */
interface Span {
  readonly address: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A host as the record of the operation has it. */
export interface RecordedHost {
  readonly address: string;
  readonly phase: string;
  readonly attempt: number;
  readonly phases: readonly { readonly phase: string; readonly at: string }[];
  readonly finished_at: string | null;
}

type Problems = readonly string[];

/** In them a host has no slot yet. */
const WITHOUT_SLOT = ['pending', 'preflight', 'staging'];

const timeOf = (timestamp: string): number => Date.parse(`${timestamp}Z`);
const at = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString().slice(11, 23) : 'the end');

/** The moments at which more than so many were so. */
function crowds(spans: readonly Span[], most: number, what: string): Problems {
  return spans.flatMap(({ fromMs }) => {
    const together = spans.filter(span => span.fromMs <= fromMs && fromMs < span.toMs);
    const names = together.map(({ address }) => address).join(', ');
    return together.length > most
      ? [`at ${at(fromMs)} ${together.length} hosts were ${what}, and ${most} may be: ${names}`]
      : [];
  });
}

/** From when it was told to until it was up again. */
const downSpans = ({ address, takenOn, reboots }: HostDiary): readonly Span[] =>
  reboots.map(({ downAtMs, upAtMs }, index) => ({
    address,
    fromMs: Math.min(takenOn[index]?.atMs ?? downAtMs, downAtMs),
    toMs: upAtMs ?? Number.POSITIVE_INFINITY,
  }));

/** No host is rebooted twice in one attempt, nor without having been told to. */
export const rebootedOnce = (diary: Diary): Problems =>
  diary.flatMap(({ address, takenOn, reboots }) => {
    const attempts = Map.groupBy(takenOn, ({ operation, attempt }) => `attempt ${attempt} of ${operation}`);
    const twice = [...attempts]
      .filter(([, all]) => all.length > 1)
      .map(([name, all]) => `${address} took on ${all.length} reboots in ${name}`);
    const more = `${address} was down ${reboots.length} times, and was told to ${takenOn.length} times`;
    return reboots.length > takenOn.length ? [...twice, more] : twice;
  });

/** Never are more hosts down, or about to go down, than the policy allows. */
export const budgetKept = (diary: Diary, maxUnavailable: number): Problems =>
  crowds(diary.flatMap(downSpans), maxUnavailable, 'down');

/** In the end every host has come up from another boot, once. */
export const eachRestarted = (diary: Diary): Problems =>
  diary.flatMap(({ address, reboots }) => {
    const ups = reboots.filter(({ upAtMs }) => upAtMs !== null).length;
    return ups === 1 && reboots.length === 1
      ? []
      : [`${address} was down ${reboots.length} times, and up again ${ups} times`];
  });

function slotOf({ address, phases, finished_at }: RecordedHost): Span | undefined {
  const first = phases.find(({ phase }) => !WITHOUT_SLOT.includes(phase));
  if (first === undefined) return undefined;
  const toMs = finished_at === null ? Number.POSITIVE_INFINITY : timeOf(finished_at);
  return { address, fromMs: timeOf(first.at), toMs };
}

/** By the record, too, no more hosts had a slot than may; and what each host went through was while it had its slot. */
export function fitsRecord(diary: Diary, record: readonly RecordedHost[], maxUnavailable: number): Problems {
  const slots = record.map(slotOf).filter(slot => slot !== undefined);
  const outside = diary.flatMap(downSpans).flatMap(({ address, fromMs, toMs }) => {
    const slot = slots.find(each => each.address === address);
    return slot !== undefined && slot.fromMs <= fromMs && toMs <= slot.toMs
      ? []
      : [
          `${address} was down from ${at(fromMs)} to ${at(toMs)}, and ${slot ? `had its slot from ${at(slot.fromMs)} to ${at(slot.toMs)}` : 'had no slot'}`,
        ];
  });
  const undone = record
    .filter(({ phase, attempt }) => phase !== 'done' || attempt !== 1)
    .map(({ address, phase, attempt }) => `the record has ${address} as ${phase} in attempt ${attempt}`);
  return [...crowds(slots, maxUnavailable, 'in flight'), ...outside, ...undone];
}

/** Whatever people were told is done is there. */
export function nothingMissing(acknowledged: Iterable<string>, there: Iterable<string>): Problems {
  const known = new Set(there);
  return [...acknowledged]
    .filter(name => !known.has(name))
    .map(name => `${name} was acknowledged, and is not there`);
}

/** Every server tells the same. */
export function sameEverywhere(answers: readonly string[]): Problems {
  const [first = ''] = answers;
  return answers
    .filter(answer => answer !== first)
    .map(answer => `one server tells ${first}, another ${answer}`);
}

/** Events are numbered from 1 on, and each is seen once, in this order. */
export function eachEventOnce(ids: readonly number[]): Problems {
  return ids.flatMap((id, index) => {
    const expected = (ids[index - 1] ?? 0) + 1;
    return id === expected ? [] : [`event ${id} came where ${expected} was expected`];
  });
}
