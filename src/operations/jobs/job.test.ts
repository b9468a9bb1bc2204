import { expect, test } from 'vitest';
import type { Address } from '../../domain/addresses/address.ts';
import type { SavedWork } from '../../domain/work/work.ts';
import { NOT_BEGUN } from '../../domain/work/work.ts';
import { jobNameOf, jobsNameOf } from './job.ts';
import { lookArgv } from './look-script.ts';
import { startArgv } from './start-script.ts';

const saved = (id: number, enrolment: string, round = 0): SavedWork => ({
  id,
  work: { kind: 'bootstrap', host: '127.0.0.1' as Address, enrolment },
  progress: { ...NOT_BEGUN, round },
});

test('a job has a name of its own for each work, enrolment, step, round and number', () => {
  const names = [
    jobNameOf(jobsNameOf(saved(1, 'Ab_-9'), 'join_network'), 0),
    jobNameOf(jobsNameOf(saved(1, 'Ab_-9'), 'join_network'), 1),
    jobNameOf(jobsNameOf(saved(1, 'Ab_-9', 1), 'join_network'), 0),
    jobNameOf(jobsNameOf(saved(1, 'Ab_-9'), 'install_prerequisites'), 0),
    jobNameOf(jobsNameOf(saved(1, 'ab_-9'), 'join_network'), 0),
    jobNameOf(jobsNameOf(saved(2, 'Ab_-9'), 'join_network'), 0),
  ];
  expect(new Set(names).size).toBe(names.length);
  expect(names[0]).toMatch(/^bootstrap-join-network-[0-9a-f]{20}-0-0$/);
});

test('it is the same again whoever asks', () => {
  expect(jobsNameOf(saved(1, 'e', 3), 'install_prerequisites')).toBe(
    jobsNameOf(saved(1, 'e', 3), 'install_prerequisites'),
  );
});

test.each(['', '.', '..', 'a/b', '-a', 'a b', 'A', "a'b", 'a\n', 'ä', 'a'.repeat(129)])(
  'nothing is run on a host for a job called %j',
  name => {
    expect(() => startArgv({ name, argv: ['true'] })).toThrow(/invalid job name/);
    expect(() => lookArgv({ name, offset: 0, waitS: 0 })).toThrow(/invalid job name/);
  },
);
