import net from 'node:net';
import { Secret } from '../../../src/domain/secret.ts';
import type { ConformanceHost } from '../../../src/drivers/transport/conformance.ts';
import { REKEY_AFTER_BYTES } from '../../../src/drivers/transport/conformance.ts';
import { generateKeyPair } from '../../../src/drivers/transport/ssh/ssh-keys.ts';
import type { Transport } from '../../../src/drivers/transport/transport.ts';
import type { Sshd } from './sshd.ts';
import { freePort, startSshd } from './sshd.ts';

type LabHost = Pick<ConformanceHost, 'target' | 'hostKey' | 'logins' | 'cut'> & Pick<Sshd, 'stop'>;

/** A host and what is around it, for the conformance suite of transports. */
export async function labAround(transport: Transport, { stop, ...host }: LabHost): Promise<ConformanceHost> {
  const silent = net.createServer(socket => socket.on('error', () => {}));
  const { address } = host.target;
  await new Promise<void>(resolve => silent.listen(0, address, resolve));
  const bound = silent.address();
  const strangersKey = Buffer.from(generateKeyPair('stranger').privateKey.reveal()).toString('base64');
  return {
    ...host,
    transport,
    unauthorizedKey: new Secret(strangersKey),
    closedPort: { ...host.target, port: await freePort(address) },
    unresponsive: { ...host.target, port: bound !== null && typeof bound === 'object' ? bound.port : 0 },
    close: async () => {
      silent.close();
      await stop();
    },
  };
}

/** For sshd_config: what a host of the conformance suite must do. */
export const KEYS_ANEW = `RekeyLimit ${REKEY_AFTER_BYTES}`;

/** The same with a plain sshd. */
export const openSshdLab = async (transport: Transport): Promise<ConformanceHost> =>
  labAround(transport, await startSshd({ config: [KEYS_ANEW] }));
