import { expect, test } from 'vitest';
import { engineUrl } from './engine-url.ts';

test.each([
  ['tcp://10.0.0.1:2376', {}, 'http://10.0.0.1:2376'],
  ['tcp://10.0.0.1:443', { caPath: '/ca' }, 'https://10.0.0.1:443'],
  ['tcp://manager', {}, 'http://manager:2375'],
  ['tcp://manager', { certificatePath: '/c', certificateKeyPath: '/k' }, 'https://manager:2376'],
  ['tcp://manager/docker', { caPath: undefined }, 'http://manager:2375/docker'],
  ['tcp://[fd00::1]', { caPath: '/ca' }, 'https://[fd00::1]:2376'],
  ['tcp://[fd00::1]:99/', {}, 'http://[fd00::1]:99/'],
  ['http://manager:2375', { caPath: '/ca' }, 'http://manager:2375'],
  ['https://manager', {}, 'https://manager'],
])('%s with the TLS files %j is %s', (url, files, meant) => {
  expect(engineUrl(url, files)).toBe(meant);
});
