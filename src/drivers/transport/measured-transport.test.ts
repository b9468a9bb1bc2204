import { beforeEach, describe, expect, test } from 'vitest';
import type { Ran } from '../../domain/command.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import { measuredTransport } from './measured-transport.ts';
import type { Connection, Transport } from './transport.ts';

const LIMITS = { timeoutMs: 1, signal: new AbortController().signal };
const ran = (exitCode: number): Ran => ({ exitCode, stdout: new Uint8Array(), stderr: new Uint8Array() });

describe('a transport that is measured', () => {
  const told: string[] = [];
  const measured = (answer: Connection | TransportFailure) => {
    const transport: Transport = { connect: async () => answer };
    return measuredTransport('ssh', transport, {
      connected: (type, result) => told.push(`${type} connected ${result}`),
      disconnected: type => told.push(`${type} disconnected`),
      commandEnded: (type, result) => told.push(`${type} ran ${result}`),
    }).connect({} as never, LIMITS);
  };
  const connectionOf = (answer: Ran | TransportFailure): Connection => ({
    hostKey: 'key',
    run: async () => answer,
    close: () => told.push('closed'),
  });
  beforeEach(() => void told.splice(0));

  test('tells why it did not get in', async () => {
    const failure = new TransportFailure('auth_rejected', 'no');
    expect(await measured(failure)).toBe(failure);
    expect(told).toEqual(['ssh connected auth_rejected']);
  });

  test.each([
    ['ok', ran(0)],
    ['nonzero', ran(3)],
    ['timed_out', new TransportFailure('timed_out', 'too long')],
  ])('tells that a command was %s, and passes on what it came to', async (result, answer) => {
    const connection = await measured(connectionOf(answer));
    if (connection instanceof TransportFailure) throw new Error('it got in');
    expect(connection.hostKey).toBe('key');
    expect(await connection.run(['true'], LIMITS)).toBe(answer);
    expect(told).toEqual(['ssh connected ok', `ssh ran ${result}`]);
  });

  test('tells once that a connection is closed, however often that is', async () => {
    const connection = await measured(connectionOf(ran(0)));
    if (connection instanceof TransportFailure) throw new Error('it got in');
    connection.close();
    connection.close();
    expect(told.slice(1)).toEqual(['ssh disconnected', 'closed', 'closed']);
  });
});
