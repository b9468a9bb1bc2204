import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../domain/secret.ts';
import { InvalidSettingError } from './setting.ts';
import type { SettingKey } from './settings.ts';
import { environmentName, flagName, settingKeys, settings } from './settings.ts';

describe('every setting', () => {
  test.each(settingKeys)('%s has a help text and a valid default', key => {
    const { help, default: defaultValue, parse } = settings[key];
    expect(help).toMatch(/^\S.*[^.]$/);
    if (defaultValue !== undefined) expect(() => parse(defaultValue)).not.toThrow();
  });

  test.each(settingKeys)('%s reports an invalid value without repeating it', key => {
    for (const value of [{ hunter2: 1 }, null, '\0hunter2 hunter2', '']) {
      let message = '';
      try {
        settings[key].parse(value);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidSettingError);
        message = error instanceof Error ? error.message : '';
      }
      expect(message).not.toContain('hunter2');
    }
  });

  test('has an environment variable and a flag that are derived from its key', () => {
    expect(environmentName('limit_body_bytes')).toBe('HOSTLER_LIMIT_BODY_BYTES');
    expect(flagName('limit_body_bytes')).toBe('--limit-body-bytes');
  });

  test('is marked as secret if it must not be a flag', () => {
    expect(settingKeys.filter(key => 'isSecret' in settings[key] && settings[key].isSecret)).toEqual([
      'store_direct',
      'secret_key',
      'admin_password',
      'trace_headers',
      'sources',
    ]);
  });
});

describe('parse()', () => {
  test.each<[SettingKey, unknown, unknown]>([
    ['listen', '127.0.0.1:8000', { host: '127.0.0.1', port: 8000 }],
    ['listen', ':0', { host: '127.0.0.1', port: 0 }],
    ['listen', '[2001:db8::1]:443', { host: '2001:db8::1', port: 443 }],
    ['listen', 'example.com:65535', { host: 'example.com', port: 65_535 }],
    ['data', 'data', path.resolve('data')],
    ['store', 'sqlite', { kind: 'sqlite' }],
    ['store', 'postgresql://db/x', { kind: 'postgres', url: 'postgresql://db/x' }],
    ['trust_proxy', '10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
    ['trust_proxy', ['10.0.0.1'], ['10.0.0.1']],
    ['allow_plain_http', 'true', true],
    ['allow_plain_http', '0', false],
    ['allow_plain_http', true, true],
    ['http_receive_timeout_s', '3600', 3600],
    ['http_receive_timeout_s', 1, 1],
    ['http_idle_timeout_s', '3600', 3600],
    ['webhook_allow_private', 'true', true],
    ['webhook_disable_after_s', '60', 60],
    ['trace_endpoint', 'http://127.0.0.1:4318', 'http://127.0.0.1:4318/v1/traces'],
    ['trace_endpoint', 'https://traces.example/in', 'https://traces.example/in'],
    ['trace_headers', 'a=b=c, x-d=e f', { a: new Secret('b=c'), 'x-d': new Secret('e f') }],
    ['trace_read_ratio', '0.25', 0.25],
    ['trace_read_ratio', 1, 1],
    ['compat', 'commissaire', 'commissaire'],
  ])('accepts for %s the value %j', (key, raw, value) => {
    expect(settings[key].parse(raw)).toEqual(value);
  });

  test.each<[SettingKey, unknown]>([
    ['listen', '8000'],
    ['listen', '127.0.0.1'],
    ['listen', '127.0.0.1:65536'],
    ['listen', '::1:8000'],
    ['listen', '127.0.0.1:http'],
    ['listen', 8000],
    ['data', ''],
    ['store', 'mysql://db'],
    ['store', 'postgres://db:99999/x'],
    ['secret_key', 'short'],
    ['secret_key', Buffer.alloc(31).toString('base64')],
    ['secret_key', Buffer.alloc(33).toString('base64')],
    ['secret_key', Buffer.alloc(32, 255).toString('base64url')],
    ['admin_password', ''],
    ['admin_password', 5],
    ['trust_proxy', 'everywhere'],
    ['trust_proxy', '10.0.0.0/33'],
    ['trust_proxy', '10.0.0.1,'],
    ['allow_plain_http', 'yes'],
    ['http_receive_timeout_s', '0'],
    ['http_receive_timeout_s', '3601'],
    ['http_receive_timeout_s', '1.5'],
    ['http_receive_timeout_s', 1.5],
    ['http_receive_timeout_s', '1e1'],
    ['http_receive_timeout_s', -1],
    ['http_idle_timeout_s', '0'],
    ['http_idle_timeout_s', '3601'],
    ['webhook_disable_after_s', '0'],
    ['trace_endpoint', '127.0.0.1:4318'],
    ['trace_endpoint', 'grpc://127.0.0.1:4317'],
    ['trace_endpoint', 'https://me:hunter2@traces.example'],
    ['trace_headers', 'authorization'],
    ['trace_headers', 'a=b\r\nc: d'],
    ['trace_headers', 'a b=c'],
    ['trace_read_ratio', '2'],
    ['trace_read_ratio', '-1'],
    ['trace_read_ratio', 'half'],
    ['trace_read_ratio', '.5'],
    ['log_level', 'loud'],
    ['compat', 'Commissaire'],
  ])('rejects for %s the value %j', (key, raw) => {
    expect(() => settings[key].parse(raw)).toThrow(InvalidSettingError);
  });
});
