import { expect, test } from 'vitest';
import type { Address } from '../../domain/addresses/address.ts';
import type { SavedTask } from '../../domain/tasks/task.ts';
import { INITIAL_TASK_STATE } from '../../domain/tasks/task.ts';
import { jobName, jobPrefixOf } from './job.ts';
import { pollArgv } from './poll-script.ts';
import { startArgv } from './start-script.ts';

const saved = (id: number, enrolment: string, jobRound = 0): SavedTask => ({
  id,
  task: { kind: 'bootstrap', host: '127.0.0.1' as Address, enrolment },
  state: { ...INITIAL_TASK_STATE, jobRound },
});

test('job names differ by task, enrolment, step, round and number', () => {
  const names = [
    jobName(jobPrefixOf(saved(1, 'Ab_-9'), 'join_network'), 0),
    jobName(jobPrefixOf(saved(1, 'Ab_-9'), 'join_network'), 1),
    jobName(jobPrefixOf(saved(1, 'Ab_-9', 1), 'join_network'), 0),
    jobName(jobPrefixOf(saved(1, 'Ab_-9'), 'install_prerequisites'), 0),
    jobName(jobPrefixOf(saved(1, 'ab_-9'), 'join_network'), 0),
    jobName(jobPrefixOf(saved(2, 'Ab_-9'), 'join_network'), 0),
  ];
  expect(new Set(names).size).toBe(names.length);
  expect(names[0]).toMatch(/^bootstrap-join-network-[0-9a-f]{20}-0-0$/);
});

test('job prefixes are deterministic', () => {
  expect(jobPrefixOf(saved(1, 'e', 3), 'install_prerequisites')).toBe(
    jobPrefixOf(saved(1, 'e', 3), 'install_prerequisites'),
  );
});

test.each(['', '.', '..', 'a/b', '-a', 'a b', 'A', "a'b", 'a\n', 'ä', 'a'.repeat(129)])(
  'startArgv and pollArgv reject the job name %j',
  name => {
    expect(() => startArgv({ name, argv: ['true'] })).toThrow(/invalid job name/);
    expect(() => pollArgv({ name, offset: 0, waitS: 0 })).toThrow(/invalid job name/);
  },
);
