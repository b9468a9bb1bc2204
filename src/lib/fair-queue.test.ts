import { beforeEach, describe, expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const SLOTS = 2;
const MAX_WAITING = 4;

describe('fair turns', () => {
  let queue: FairQueue;
  let log: string[];
  let running: Map<string, () => void>;

  beforeEach(() => {
    queue = new FairQueue(SLOTS, MAX_WAITING);
    log = [];
    running = new Map();
  });

  /** Adds a task that runs until it is ended. Its name begins with its group: `k` groups are privileged. */
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

  const nextTurn = () => new Promise(resolve => setImmediate(resolve));
  async function addAll(...tasks: readonly string[]): Promise<void> {
    for (const task of tasks) void add(task);
    await nextTurn();
  }
  async function finish(task: string): Promise<void> {
    running.get(task)?.();
    running.delete(task);
    await nextTurn();
  }

  test('run as many privileged tasks as there are places', async () => {
    await addAll('k1a', 'k1b', 'k1c');
    expect(log).toEqual(['k1a', 'k1b']);
    await finish('k1a');
    expect(log).toEqual(['k1a', 'k1b', 'k1c']);
  });

  test('keep half of the places for privileged groups', async () => {
    await addAll('u1a', 'u2a', 'k1a');
    expect(log).toEqual(['u1a', 'k1a']);
    await finish('k1a');
    expect(log).toEqual(['u1a', 'k1a']);
    await finish('u1a');
    expect(log).toEqual(['u1a', 'k1a', 'u2a']);
  });

  test('keep half of the places for the others', async () => {
    await addAll('k1a', 'k1b', 'k1c', 'u1a');
    await finish('k1a');
    await finish('k1b');
    expect(log).toEqual(['k1a', 'k1b', 'u1a', 'k1c']);
  });

  test('take groups in turn, whichever has more tasks', async () => {
    await addAll('u1a', 'u1b', 'u1c', 'u2a', 'u2b');
    for (const task of ['u1a', 'u1b', 'u2a', 'u1c']) await finish(task);
    expect(log).toEqual(['u1a', 'u1b', 'u2a', 'u1c', 'u2b']);
  });

  test('reject the newest task of the group with most tasks when too many wait', async () => {
    await addAll('u1a', 'u1b', 'u1c', 'u1d', 'u1e', 'u2a', 'u1f');
    expect(log.toSorted()).toEqual(['u1a', 'u1e rejected', 'u1f rejected']);
    await addAll('u3a', 'u4a', 'u5a');
    expect(log.slice(3).toSorted()).toEqual(['u1c rejected', 'u1d rejected', 'u5a rejected']);
  });

  test('reject nothing of privileged groups because others wait', async () => {
    await addAll('k1a', 'u1a', 'u1b', 'u1c', 'u1d', 'u1e', 'k1b');
    expect(log).toEqual(['k1a', 'u1a']);
    await finish('k1a');
    expect(log).toEqual(['k1a', 'u1a', 'k1b']);
  });

  test('reject more than a group may have', async () => {
    await addAll('k1a', 'k1b');
    void add('k2a', 1);
    void add('k2b', 1);
    await nextTurn();
    expect(log).toEqual(['k1a', 'k1b', 'k2b rejected']);
  });

  test('give the place to the next task when one throws', async () => {
    const one = new FairQueue(1, 1);
    const group = { name: 'k1', isPrivileged: true };
    await expect(one.tryRun(group, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await one.tryRun(group, async () => 'yes')).toBe('yes');
  });
});
