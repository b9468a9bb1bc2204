import { beforeEach, describe, expect, test } from 'vitest';
import type { CommandResult } from '../../domain/command.ts';
import { TransportFailure } from '../../domain/transport-failure.ts';
import type { Connection, Transport } from '../../drivers/transport/transport.ts';
import { measureTransport } from './transport-metrics.ts';

const LIMITS = { timeoutMs: 1, signal: new AbortController().signal };
const commandResult = (exitCode: number): CommandResult => ({
  exitCode,
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
});

describe('measureTransport', () => {
  const events: string[] = [];
  const measured = (response: Connection | TransportFailure) => {
    const transport: Transport = { connect: async () => response };
    return measureTransport('ssh', transport, {
      connected: (type, result) => events.push(`${type} connected ${result}`),
      disconnected: type => events.push(`${type} disconnected`),
      commandEnded: (type, result) => events.push(`${type} ran ${result}`),
    }).connect({} as never, LIMITS);
  };
  const connectionOf = (response: CommandResult | TransportFailure): Connection => ({
    hostKey: 'key',
    run: async () => response,
    close: () => events.push('closed'),
  });
  beforeEach(() => void events.splice(0));

  test('records a failed connection with its kind', async () => {
    const failure = new TransportFailure('auth_rejected', 'no');
    expect(await measured(failure)).toBe(failure);
    expect(events).toEqual(['ssh connected auth_rejected']);
  });

  test.each([
    ['ok', commandResult(0)],
    ['nonzero', commandResult(3)],
    ['timed_out', new TransportFailure('timed_out', 'timeout')],
  ])('records a command as %s and returns its result', async (result, response) => {
    const connection = await measured(connectionOf(response));
    if (connection instanceof TransportFailure) throw new Error('the connection failed');
    expect(connection.hostKey).toBe('key');
    expect(await connection.run(['true'], LIMITS)).toBe(response);
    expect(events).toEqual(['ssh connected ok', `ssh ran ${result}`]);
  });

  test('records the end of a connection once', async () => {
    const connection = await measured(connectionOf(commandResult(0)));
    if (connection instanceof TransportFailure) throw new Error('the connection failed');
    connection.close();
    connection.close();
    expect(events.slice(1)).toEqual(['ssh disconnected', 'closed', 'closed']);
  });
});
