// What was lost, done twice or never done, looked for when all have gone home.

import { setTimeout as delay } from 'node:timers/promises';
import { budgetKept, eachEventOnce, rebootedOnce } from '../chaos/rules.ts';
import { until } from '../until.ts';
import type { Crew } from './crew.ts';
import { overdue } from './overdue.ts';
import { budgetOf } from './restarts.ts';
import { unwell } from './staying-hosts.ts';

type Problems = readonly string[];

const MINUTE_MS = 60_000;
const LOOK_EVERY_MS = 500;
const SETTLED_WITHIN_MS = 120_000;
const MOST_INTERVALS = 2;

/** Looks again and again until nothing is wrong; answers what stays so. */
async function lasting(look: () => Promise<Problems>): Promise<Problems> {
  let problems = await look();
  const isMended = async () => {
    if (problems.length === 0) return true;
    await delay(LOOK_EVERY_MS);
    problems = await look();
    return problems.length === 0;
  };
  await until('nothing is wrong', isMended, SETTLED_WITHIN_MS).catch(() => {});
  return problems;
}

/** Nothing is on its way any more, and what is too old is gone. */
async function leftBehind({ site, reader }: Crew): Promise<Problems> {
  const { hosts } = site.options;
  const wanted = { outbox: 0, tasks: 0, hosts, host_access: hosts, host_queue: hosts };
  const { rows, lastEvent, oldest } = await site.store.holdings();
  const left = Object.entries(wanted)
    .filter(([table, count]) => rows[table] !== count)
    .map(([table, count]) => `${table} has ${rows[table]} rows instead of ${count}`);
  const unseen = `the last event is ${lastEvent}, and ${reader.position} was seen`;
  const late = overdue(oldest, site.options.keepMinutes * MINUTE_MS, Date.now());
  return [...left, ...late, ...(reader.position >= lastEvent ? [] : [unseen])];
}

async function unwellHosts({ site }: Crew): Promise<Problems> {
  const mostMs = MOST_INTERVALS * site.options.checkIntervalS * 1000;
  return unwell(await site.store.hosts(), site.staying, Date.now() - mostMs);
}

function budgetProblems({ site }: Crew): Problems {
  const { hostsPerRing } = site.options;
  const { diary } = site.fleet;
  return site.rings.flatMap(ring => {
    const members = new Set(site.membersOf(ring));
    return budgetKept(
      diary.filter(({ address }) => members.has(address)),
      budgetOf(hostsPerRing),
    ).map(problem => `${ring}: ${problem}`);
  });
}

/** After the end. */
export async function lossesOf(crew: Crew): Promise<Problems> {
  const { site, reader, post, notes, acknowledged } = crew;
  const left = await lasting(() => leftBehind(crew));
  return [
    ...crew.problems,
    ...(await notes.missing()),
    ...left,
    ...(await lasting(() => unwellHosts(crew))),
    ...reader.problems,
    ...eachEventOnce(reader.events.map(({ id }) => id - reader.begunAfter)),
    ...acknowledged.problems(reader.events),
    ...(await post.problems(reader)),
    ...rebootedOnce(site.fleet.diary),
    ...budgetProblems(crew),
    ...(await site.logProblems()),
    ...site.servers.flatMap(({ problems }) => problems),
  ];
}
