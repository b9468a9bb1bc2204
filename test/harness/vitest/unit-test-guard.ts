// Unit tests run without processes, network connections and PostgreSQL, so that they are fast and run anywhere.

import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import workerThreads from 'node:worker_threads';

/** A function and not an arrow function, so that it also replaces a class. */
const reject = (action: string) =>
  function rejectInUnitTest(): never {
    throw new Error(
      `A unit test tried to ${action}. Unit tests must not use processes, ports or PostgreSQL. ` +
        'Rename the file to *.integration.test.ts if it needs them.',
    );
  };

for (const name of ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'] as const)
  Object.assign(childProcess, { [name]: reject('start a process') });
Object.assign(childProcess.ChildProcess.prototype, { spawn: reject('start a process') });
Object.assign(workerThreads, { Worker: reject('start a thread') });
dgram.Socket.prototype.bind = reject('bind a port');
net.Server.prototype.listen = reject('listen on a port or socket');
net.Socket.prototype.connect = reject('connect to a port or socket');
syncBuiltinESMExports();
