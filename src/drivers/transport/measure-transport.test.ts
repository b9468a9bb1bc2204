import { beforeEach, describe, expect, test } from 'vitest';
import type { CommandResult } from '../../domain/command.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { Connection, Transport } from './transport.ts';
import { measureTransport } from './transport-decorators.ts';

const LIMITS = { timeoutMs: 1, signal: new AbortController().signal };
const commandResult = (exitCode: number): CommandResult => ({
  exitCode,
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
});

describe('a transport that is measured', () => {
  const events: string[] = [];
  const measured = (answer: Connection | TransportFailure) => {
    const transport: Transport = { connect: async () => answer };
    return measureTransport('ssh', transport, {
      connected: (type, result) => events.push(`${type} connected ${result}`),
      disconnected: type => events.push(`${type} disconnected`),
      commandEnded: (type, result) => events.push(`${type} ran ${result}`),
    }).connect({} as never, LIMITS);
  };
  const connectionOf = (answer: CommandResult | TransportFailure): Connection => ({
    hostKey: 'key',
    run: async () => answer,
    close: () => events.push('closed'),
  });
  beforeEach(() => void events.splice(0));

  test('tells why it did not get in', async () => {
    const failure = new TransportFailure('auth_rejected', 'no');
    expect(await measured(failure)).toBe(failure);
    expect(events).toEqual(['ssh connected auth_rejected']);
  });

  test.each([
    ['ok', commandResult(0)],
    ['nonzero', commandResult(3)],
    ['timed_out', new TransportFailure('timed_out', 'too long')],
  ])('tells that a command was %s, and passes on what it came to', async (result, answer) => {
    const connection = await measured(connectionOf(answer));
    if (connection instanceof TransportFailure) throw new Error('it got in');
    expect(connection.hostKey).toBe('key');
    expect(await connection.run(['true'], LIMITS)).toBe(answer);
    expect(events).toEqual(['ssh connected ok', `ssh ran ${result}`]);
  });

  test('tells once that a connection is closed, however often that is', async () => {
    const connection = await measured(connectionOf(commandResult(0)));
    if (connection instanceof TransportFailure) throw new Error('it got in');
    connection.close();
    connection.close();
    expect(events.slice(1)).toEqual(['ssh disconnected', 'closed', 'closed']);
  });
});
