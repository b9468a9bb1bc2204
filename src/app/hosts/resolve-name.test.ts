import { expect, test } from 'vitest';
import { VirtualClock } from '../../../test/harness/simulation/virtual-clock.ts';
import { AppError } from '../../domain/errors.ts';
import { NameResolver } from './resolve-name.ts';

/** A DNS server that never responds, and the names that it was asked for. */
function createSilentResolver() {
  const asked: string[] = [];
  const clock = new VirtualClock();
  const lookup = (name: string) => {
    asked.push(name);
    return new Promise<readonly string[]>(() => {});
  };
  return { asked, clock, resolver: new NameResolver({ clock, lookup }) };
}

test('a name is given up after five seconds', async () => {
  const { clock, resolver } = createSilentResolver();
  const result = resolver.resolve({ account: 'ann' }, 'slow');
  await clock.advance(5000);
  expect(await result).toEqual(
    new AppError('dns_unavailable', 'slow cannot be resolved (no response within 5 s)', { retryAfterS: 5 }),
  );
});

test('two names are resolved at a time, fifty wait, and more are rejected', async () => {
  const { asked, clock, resolver } = createSilentResolver();
  const results = Array.from({ length: 53 }, (_, index) => resolver.resolve({ account: `a${index}` }, `n${index}`));
  expect(await results[52]).toMatchObject({ code: 'server_busy' });
  expect(asked).toEqual(['n0', 'n1']);
  await clock.advance(5000);
  expect(await results[51]).toMatchObject({ code: 'dns_unavailable' });
});

test('a name whose request has ended is not looked up later', async () => {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const lookup = (name: string) => {
    asked.push(name);
    return new Promise<readonly string[]>(resolve => answers.push(() => resolve([])));
  };
  const resolver = new NameResolver({ clock, lookup });
  const results = ['a', 'b', 'c'].map(name => resolver.resolve({ account: 'ann' }, name));
  await clock.advance(5000);
  await Promise.all(results);
  for (const answer of answers) answer();
  await clock.advance(1);
  expect(asked).toEqual(['a', 'b']);
});

test('an account can resolve 60 names in a minute, and then one each second', async () => {
  const clock = new VirtualClock();
  const resolver = new NameResolver({ clock, lookup: async () => ['192.0.2.1'] });
  const resolve = (account: string) => resolver.resolve({ account }, 'web-1');
  for (let count = 0; count < 60; count += 1) expect(await resolve('ann')).toMatchObject({ name: 'web-1' });
  expect(await resolve('ann')).toMatchObject({ code: 'too_many_requests' });
  expect(await resolve('bob')).toMatchObject({ name: 'web-1' });
  await clock.advance(1000);
  expect(await resolve('ann')).toMatchObject({ name: 'web-1' });
  expect(await resolve('ann')).toMatchObject({ code: 'too_many_requests' });
});
