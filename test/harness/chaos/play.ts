// Plays one run: a restart of all hosts while everything around them fails, and mends again. Answers what must not have happened.

import { until } from '../until.ts';
import { Clerk } from './clerk.ts';
import { eventProblems } from './event-problems.ts';
import { EventReader } from './event-reader.ts';
import { AUTHORIZATION } from './people.ts';
import type { FaultKind, PlannedFault } from './plan.ts';
import type { Operation } from './restart.ts';
import { endOf, startRestart } from './restart.ts';
import {
  budgetKept,
  eachRestarted,
  fitsRecord,
  nothingMissing,
  rebootedOnce,
  sameEverywhere,
} from './rules.ts';
import type { Stage } from './stage.ts';
import { strike } from './strike.ts';
import type { Takeover } from './takeover.ts';
import { takeoverProblems } from './takeover.ts';

/** Servers that are frozen say nothing. */
const SILENCE_MS = 1500;

export interface Play {
  readonly stage: Stage;
  readonly maxUnavailable: number;
  readonly plan: readonly PlannedFault[];
  /** One fault after the other, and what a killed server leaves is watched. Else several may be under way at once. */
  readonly isOrdered: boolean;
}

export interface Report {
  readonly problems: readonly string[];
  /** What happened before the restart was over. */
  readonly struck: readonly FaultKind[];
  readonly takeovers: readonly Takeover[];
  readonly acknowledged: number;
  readonly events: number;
  readonly seconds: number;
}

/** What every server tells, once each of them answers again. */
const askEach = ({ people, servers }: Stage, target: string): Promise<readonly string[]> =>
  Promise.all(
    servers.map(server =>
      until(`GET ${target} of each server`, async () => {
        const answer = await people.ask(server, target);
        return answer?.status === 200 && JSON.stringify(answer.body);
      }),
    ),
  );

/** Has all faults happen; those of one server, or of PostgreSQL, one after the other. */
async function strikeAll({ stage, plan, isOrdered }: Play, isOver: () => boolean) {
  const chains = isOrdered ? [plan] : [...Map.groupBy(plan, ({ server }) => server).values()];
  const struck: FaultKind[] = [];
  const takeovers: Takeover[] = [];
  const mending: (Promise<void> | undefined)[] = [];
  await Promise.all(
    chains.map(async chain => {
      for (const fault of chain) {
        const blow = await strike(fault, { stage, isOver, isWatched: isOrdered });
        if (blow === undefined) continue;
        struck.push(fault.kind);
        if (blow.takeover) takeovers.push(blow.takeover);
        mending.push(blow.mending);
      }
    }),
  );
  await Promise.all(mending);
  return { struck, takeovers };
}

const FEW_CHARACTERS = 400;

const endProblems = (status: string | undefined, record: string): readonly string[] =>
  status === 'finished'
    ? []
    : [`the operation is ${status ?? 'not over'}: ${record.slice(0, FEW_CHARACTERS)}`];

/** Restarts all hosts while the plan is played. */
async function restartThrough(scene: Play) {
  const id = await startRestart(scene.stage, scene.maxUnavailable);
  let isOver = false;
  const striking = strikeAll(scene, () => isOver);
  const status = await endOf(scene.stage, id);
  isOver = true;
  return { id, status, ...(await striking) };
}

export async function play(scene: Play): Promise<Report> {
  const { stage, maxUnavailable } = scene;
  const begunMs = performance.now();
  const clerk = new Clerk(stage.people);
  const urls = () => stage.servers.flatMap(({ url }) => url ?? []);
  const reader = new EventReader({ urls, authorization: AUTHORIZATION, silenceMs: SILENCE_MS });
  clerk.start();
  reader.start();
  try {
    const { id, status, struck, takeovers } = await restartThrough(scene);
    await clerk.stop();
    const { diary } = stage.fleet;
    const records = await askEach(stage, `operation/${id}`);
    const clusters = await askEach(stage, 'clusters');
    const [record = ''] = records;
    const { hosts } = JSON.parse(record) as Operation;
    const problems = [
      ...endProblems(status, record),
      ...rebootedOnce(diary),
      ...budgetKept(diary, maxUnavailable),
      ...eachRestarted(diary),
      ...fitsRecord(diary, hosts, maxUnavailable),
      ...sameEverywhere(records),
      ...sameEverywhere(clusters),
      ...nothingMissing(clerk.acknowledged, JSON.parse(clusters[0] ?? '[]')),
      ...takeovers.flatMap(takeoverProblems),
      ...(await eventProblems(stage, reader, clerk.acknowledged)),
    ];
    const counts = { acknowledged: clerk.acknowledged.length, events: reader.events.length };
    return { problems, struck, takeovers, ...counts, seconds: (performance.now() - begunMs) / 1000 };
  } finally {
    await clerk.stop();
    await reader.stop();
  }
}
