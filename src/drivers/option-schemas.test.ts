import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { compileSchema } from '../lib/schema.ts';
import { bearerTokenOption, cidrOption, filePathOption, secretOption, urlOption } from './option-schemas.ts';

const FIELDS = {
  url: urlOption('…'),
  tcpUrl: urlOption('…', { schemes: ['tcp'] }),
  downloadUrl: urlOption('…', { mayHaveQuery: true }),
  filePath: filePathOption('…'),
  cidr: cidrOption('…'),
  secret: secretOption('…'),
  bearerToken: bearerTokenOption('…'),
};
const messages = (schema: TSchema, value: unknown) => compileSchema(schema)(value).map(({ message }) => message);

describe('option schema', () => {
  test.each<[keyof typeof FIELDS, string]>([
    ['url', 'http://etcd:2379'],
    ['url', 'https://10.0.0.1/'],
    ['url', 'https://[fd00::1]:6443/some/path'],
    ['tcpUrl', 'tcp://10.0.0.1:2375'],
    ['downloadUrl', 'https://[fd00::1]:6443/some/path?x=1'],
    ['filePath', '/etc/hostler/ca.pem'],
    ['filePath', '/with space'],
    ['cidr', '10.1.0.0/16'],
    ['cidr', '0.0.0.0/0'],
    ['cidr', 'fd00:1::/48'],
    ['secret', 'x'],
    ['secret', 'two\nlines'],
    ['bearerToken', 'K10aa::server:~!x=='],
    ['secret', 'x'.repeat(65_536)],
  ])('%s accepts %s', (field, text) => {
    expect(messages(FIELDS[field], text)).toEqual([]);
  });

  test.each<[keyof typeof FIELDS, unknown]>([
    ['url', ''],
    ['url', 'etcd:2379'],
    ['url', 'ftp://etcd'],
    ['url', 'https://'],
    ['url', 'https://:2379'],
    ['url', 'https://user:password@etcd'],
    ['url', 'https://et cd'],
    ['url', 'https://etcd:port'],
    ['url', 'https://etcd\n'],
    ['url', 'https://etcd:99999'],
    ['url', 'https://[::::]'],
    ['url', 'https://10.0.0.256/'],
    ['url', 'https://a%zz'],
    ['url', 'https://etcd/?token=x'],
    ['url', 'https://etcd/#x'],
    ['tcpUrl', 'https://etcd'],
    ['tcpUrl', 'tcp://etcd:99999'],
    ['downloadUrl', 'https://etcd/x#y'],
    ['url', `https://${'x'.repeat(2048)}`],
    ['filePath', 'relative/ca.pem'],
    ['filePath', ''],
    ['filePath', '/zero\0byte'],
    ['cidr', '10.1.0.0'],
    ['cidr', '10.1.0.0/33'],
    ['cidr', '10.1/16'],
    ['cidr', '010.1.0.0/16'],
    ['cidr', '300.1.0.0/16'],
    ['cidr', 'fd00::/129'],
    ['cidr', 'fd00::%1/64'],
    ['cidr', 'abc/5'],
    ['secret', ''],
    ['secret', 'zero\0byte'],
    ['secret', 'x'.repeat(65_537)],
    ['secret', 5],
    ['bearerToken', ''],
    ['bearerToken', 'line\n'],
    ['bearerToken', ' x'],
    ['bearerToken', 'é'],
    ['bearerToken', 'x\u{1F600}'],
    ['bearerToken', 'x'.repeat(65_537)],
  ])('%s rejects %j', (field, value) => {
    expect(messages(FIELDS[field], value)).toHaveLength(1);
  });

  test('reports its own rule', () => {
    expect([
      ...messages(FIELDS.url, 'x'),
      ...messages(FIELDS.url, 'https://etcd:99999'),
      ...messages(FIELDS.downloadUrl, 'x'),
      ...messages(FIELDS.filePath, 'x'),
      ...messages(FIELDS.cidr, 'x'),
      ...messages(FIELDS.bearerToken, 'x y'),
    ]).toEqual([
      'must be a URL (http, https) without user name, query or fragment',
      'must be a URL (http, https) without user name, query or fragment',
      'must be a URL (http, https) without user name or fragment',
      'must be an absolute path on the server machine',
      'must be a network in CIDR notation, such as 10.1.0.0/16',
      'must be one line of visible ASCII characters without spaces',
    ]);
  });
});
