// The server as `hostler serve` runs it, with the simulated hosts of the parent process.

import { createLog } from '../../src/lib/log.ts';
import { loadConfig } from '../../src/server/configuration/config.ts';
import { stopOnSignals } from '../../src/server/serve.ts';
import { startService } from '../../src/server/start-service.ts';
import { FleetTransport } from './fleet-transport.ts';

const config = loadConfig({ environment: process.env, flags: {} });
const log = createLog(config.log_level, false);
const service = await startService(config, log, { transport: new FleetTransport() });
stopOnSignals(service.stop, log);
// Exits with its parent, which has the hosts.
process.once('disconnect', () => process.exit(1));
process.stdout.write(`API ${service.url}/api/v0/\n`);
