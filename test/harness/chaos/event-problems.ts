import { until } from '../until.ts';
import type { EventReader } from './event-reader.ts';
import { eachEventOnce } from './rules.ts';
import type { Stage } from './stage.ts';

interface Logged {
  readonly id: number;
  readonly type: string;
  readonly subject: string;
}

/** What PostgreSQL itself has, once everything that happened is in the log. */
async function readLog(stage: Stage): Promise<readonly Logged[]> {
  await until(
    'the outbox is empty',
    async () => (await stage.query('select id from outbox limit 1')).length === 0,
  );
  const rows = await stage.query<Logged>('select id::int as id, type, subject from log order by log.id');
  return rows;
}

/** Whether what happened is told: all of it, each once, to a reader that went from server to server. */
export async function eventProblems(
  stage: Stage,
  reader: EventReader,
  acknowledged: readonly string[],
): Promise<readonly string[]> {
  const logged = await readLog(stage);
  const timesTold = (name: string) =>
    logged.filter(({ type, subject }) => type === 'cluster.created' && subject === name).length;
  const ofLog = [
    ...eachEventOnce(logged.map(({ id }) => id)),
    ...acknowledged
      .filter(name => timesTold(name) !== 1)
      .map(name => `${name} is told ${timesTold(name)} times`),
  ];
  const last = logged.at(-1)?.id ?? 0;
  await until('the last event', () => reader.position >= last).catch(() => {});
  await reader.stop();
  const behind = reader.position < last ? [`the last event is ${last}, and ${reader.position} was seen`] : [];
  return [...ofLog, ...reader.problems, ...eachEventOnce(reader.events.map(({ id }) => id)), ...behind];
}
