import { beforeEach, describe, expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const SLOTS = 2;
const MAX_WAITING = 4;

describe('FairQueue', () => {
  let queue: FairQueue;
  let log: string[];
  let running: Map<string, () => void>;

  beforeEach(() => {
    queue = new FairQueue(SLOTS, MAX_WAITING);
    log = [];
    running = new Map();
  });

  /**
   * Adds a task that runs until `finish`. The first two characters are its group; groups that start with `k` are
   * privileged.
   */
  async function add(task: string, maxWaitingOfGroup?: number): Promise<void> {
    const group = { name: task.slice(0, 2), isPrivileged: task.startsWith('k') };
    const result = await queue.tryRun(
      group,
      () =>
        new Promise<string>(resolve => {
          log.push(task);
          running.set(task, () => resolve(task));
        }),
      maxWaitingOfGroup,
    );
    if (result === undefined) log.push(`${task} rejected`);
  }

  const nextLoopIteration = () => new Promise(resolve => setImmediate(resolve));
  async function addAll(...tasks: readonly string[]): Promise<void> {
    for (const task of tasks) void add(task);
    await nextLoopIteration();
  }
  async function finish(task: string): Promise<void> {
    running.get(task)?.();
    running.delete(task);
    await nextLoopIteration();
  }

  test('runs privileged tasks in all slots', async () => {
    await addAll('k1a', 'k1b', 'k1c');
    expect(log).toEqual(['k1a', 'k1b']);
    await finish('k1a');
    expect(log).toEqual(['k1a', 'k1b', 'k1c']);
  });

  test('reserves half of the slots for privileged groups', async () => {
    await addAll('u1a', 'u2a', 'k1a');
    expect(log).toEqual(['u1a', 'k1a']);
    await finish('k1a');
    expect(log).toEqual(['u1a', 'k1a']);
    await finish('u1a');
    expect(log).toEqual(['u1a', 'k1a', 'u2a']);
  });

  test('does not let privileged groups use the slots of others forever', async () => {
    await addAll('k1a', 'k1b', 'k1c', 'u1a');
    await finish('k1a');
    await finish('k1b');
    expect(log).toEqual(['k1a', 'k1b', 'u1a', 'k1c']);
  });

  test('alternates between groups regardless of their number of tasks', async () => {
    await addAll('u1a', 'u1b', 'u1c', 'u2a', 'u2b');
    for (const task of ['u1a', 'u1b', 'u2a', 'u1c']) await finish(task);
    expect(log).toEqual(['u1a', 'u1b', 'u2a', 'u1c', 'u2b']);
  });

  test('rejects the newest task of the longest group when too many tasks wait', async () => {
    await addAll('u1a', 'u1b', 'u1c', 'u1d', 'u1e', 'u2a', 'u1f');
    expect(log.toSorted()).toEqual(['u1a', 'u1e rejected', 'u1f rejected']);
    await addAll('u3a', 'u4a', 'u5a');
    expect(log.slice(3).toSorted()).toEqual(['u1c rejected', 'u1d rejected', 'u5a rejected']);
  });

  test('does not reject privileged tasks because others wait', async () => {
    await addAll('k1a', 'u1a', 'u1b', 'u1c', 'u1d', 'u1e', 'k1b');
    expect(log).toEqual(['k1a', 'u1a']);
    await finish('k1a');
    expect(log).toEqual(['k1a', 'u1a', 'k1b']);
  });

  test('rejects tasks above the limit of their group', async () => {
    await addAll('k1a', 'k1b');
    void add('k2a', 1);
    void add('k2b', 1);
    await nextLoopIteration();
    expect(log).toEqual(['k1a', 'k1b', 'k2b rejected']);
  });

  test('frees the slot of a task that throws', async () => {
    const singleSlotQueue = new FairQueue(1, 1);
    const group = { name: 'k1', isPrivileged: true };
    await expect(singleSlotQueue.tryRun(group, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await singleSlotQueue.tryRun(group, async () => 'yes')).toBe('yes');
  });
});
