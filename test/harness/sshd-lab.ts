import net from 'node:net';
import { Secret } from '../../src/domain/secret.ts';
import type { ConformanceHost } from '../../src/drivers/transport/conformance.ts';
import { newKeyPair } from '../../src/drivers/transport/ssh/new-key-pair.ts';
import type { Transport } from '../../src/drivers/transport/transport.ts';
import type { SshdOptions } from './sshd.ts';
import { freePort, startSshd } from './sshd.ts';

/** A real sshd and what is around it, for the conformance suite of transports. */
export async function openSshdLab(transport: Transport, options?: SshdOptions): Promise<ConformanceHost> {
  const sshd = await startSshd(options);
  const { target } = sshd;
  const silent = net.createServer(socket => socket.on('error', () => {}));
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
  const bound = silent.address();
  const strangersKey = Buffer.from(newKeyPair('stranger').privateKey.reveal()).toString('base64');
  return {
    transport,
    target,
    hostKey: sshd.hostKey,
    strangersKey: new Secret(strangersKey),
    nobody: { ...target, port: await freePort() },
    silent: { ...target, port: bound !== null && typeof bound === 'object' ? bound.port : 0 },
    logins: () => sshd.logins(),
    cut: () => sshd.cut(),
    close: async () => {
      silent.close();
      await sshd.stop();
    },
  };
}
