import { describe, expect, test } from 'vitest';
import { Semaphore } from './concurrency.ts';

/** Creates tasks that end on demand, and records which have started. */
function createTasks(semaphore: Semaphore) {
  const started: string[] = [];
  const start = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const done = semaphore.tryRun(() => {
      started.push(name);
      return promise;
    });
    return { done, end: () => resolve(name), fail: () => reject(new Error(name)) };
  };
  return { started, start };
}

describe('Semaphore', () => {
  test('runs as many tasks as it has permits, and the others in order', async () => {
    const { started, start } = createTasks(new Semaphore(2, 10));
    const [a, b, c, d] = [start('a'), start('b'), start('c'), start('d')];
    expect(started).toEqual(['a', 'b']);
    b.end();
    await b.done;
    await expect.poll(() => started).toEqual(['a', 'b', 'c']);
    a.end();
    await a.done;
    await expect.poll(() => started).toEqual(['a', 'b', 'c', 'd']);
    c.end();
    d.end();
    expect(await Promise.all([c.done, d.done])).toEqual(['c', 'd']);
  });

  test('passes on the result and the error of a task', async () => {
    const { start } = createTasks(new Semaphore(1, 1));
    const [good, bad] = [start('good'), start('bad')];
    good.end();
    bad.fail();
    expect(await good.done).toBe('good');
    await expect(bad.done).rejects.toThrow('bad');
  });

  test('passes the permit of a failed task to the next task', async () => {
    const { started, start } = createTasks(new Semaphore(1, 1));
    const [bad, next] = [start('bad'), start('next')];
    bad.fail();
    await expect(bad.done).rejects.toThrow();
    next.end();
    expect(await next.done).toBe('next');
    expect(started).toEqual(['bad', 'next']);
  });

  test('frees a permit when no task waits', async () => {
    const { start } = createTasks(new Semaphore(1, 0));
    const first = start('first');
    expect(start('refused').done).toBeUndefined();
    first.end();
    await first.done;
    expect(start('second').done).toBeDefined();
  });

  test('rejects tasks when all permits and queue places are used', () => {
    const { started, start } = createTasks(new Semaphore(2, 1));
    const accepted = ['a', 'b', 'c', 'd', 'e'].map(name => start(name).done !== undefined);
    expect(accepted).toEqual([true, true, true, false, false]);
    expect(started).toEqual(['a', 'b']);
  });

  test('rejects a task with a lower queue limit while others are accepted', () => {
    const semaphore = new Semaphore(1, 10);
    const { start } = createTasks(semaphore);
    start('running');
    start('waiting');
    expect(semaphore.tryRun(async () => 'light', 1)).toBeUndefined();
    expect(start('heavy').done).toBeDefined();
  });
});
