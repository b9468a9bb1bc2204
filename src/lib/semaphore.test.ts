import { describe, expect, test } from 'vitest';
import { Semaphore } from './concurrency.ts';

/** Tasks that end when they are told to, and a record of which have begun. */
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

describe('a semaphore', () => {
  test('runs as many at once as it has permits, and the others in the order in which they came', async () => {
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

  test('answers what the task answers, and throws what it throws', async () => {
    const { start } = createTasks(new Semaphore(1, 1));
    const [good, bad] = [start('good'), start('bad')];
    good.end();
    bad.fail();
    expect(await good.done).toBe('good');
    await expect(bad.done).rejects.toThrow('bad');
  });

  test('gives the permit of a task that failed to the next', async () => {
    const { started, start } = createTasks(new Semaphore(1, 1));
    const [bad, next] = [start('bad'), start('next')];
    bad.fail();
    await expect(bad.done).rejects.toThrow();
    next.end();
    expect(await next.done).toBe('next');
    expect(started).toEqual(['bad', 'next']);
  });

  test('takes a permit back when nobody waits for it', async () => {
    const { start } = createTasks(new Semaphore(1, 0));
    const first = start('first');
    expect(start('refused').done).toBeUndefined();
    first.end();
    await first.done;
    expect(start('second').done).toBeDefined();
  });

  test('takes no more than it has permits and places in the queue', () => {
    const { started, start } = createTasks(new Semaphore(2, 1));
    const accepted = ['a', 'b', 'c', 'd', 'e'].map(name => start(name).done !== undefined);
    expect(accepted).toEqual([true, true, true, false, false]);
    expect(started).toEqual(['a', 'b']);
  });

  test('refuses a task of less weight while others would still be taken', () => {
    const semaphore = new Semaphore(1, 10);
    const { start } = createTasks(semaphore);
    start('running');
    start('waiting');
    expect(semaphore.tryRun(async () => 'light', 1)).toBeUndefined();
    expect(start('heavy').done).toBeDefined();
  });
});
