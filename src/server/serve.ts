import path from 'node:path';
import { createLog } from '../lib/log.ts';
import type { Service } from './compose.ts';
import { startService } from './compose.ts';
import type { ConfigSources } from './configuration/config.ts';
import { loadConfig, unknownVariables } from './configuration/config.ts';
import type { Config } from './configuration/settings.ts';
import { looseFiles } from './keys/loose-files.ts';
import { programName } from './program-name.ts';
import { stopOnSignals } from './shutdown.ts';
import { tellReady } from './tell-ready.ts';
import { version } from './version.ts';

function banner({ url, firstPassword }: Service, { store, data }: Config): string {
  const lines = [
    `Hostler ${version}`,
    `  Dashboard  ${url}/`,
    `  API        ${url}/api/v0/`,
    `  Docs       ${url}/docs`,
    `  Store      ${store.kind === 'sqlite' ? data : 'PostgreSQL'}`,
  ];
  if (firstPassword) {
    lines.push(
      '',
      'First start. Sign in with:',
      '  user      admin',
      `  password  ${firstPassword.reveal()}`,
      `The password is not shown again. To set a new one: ${programName} admin reset-password`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}

/** `hostler serve`: the service, until a signal stops it. */
export async function serve(sources: ConfigSources): Promise<void> {
  const config = loadConfig(sources);
  const log = createLog(config.log_level, process.stderr.isTTY === true);
  const strays = unknownVariables(sources.environment);
  if (strays.length > 0)
    log.warn({ variables: strays }, 'unknown environment variables that begin with HOSTLER_');
  // What SQLite puts aside while it sorts stays there too: elsewhere others might read it, or nothing be written.
  process.env['SQLITE_TMPDIR'] ??= path.resolve(config.data);
  const service = await startService(config, log);
  const loose = looseFiles(config);
  if (loose.length > 0)
    log.warn({ files: loose }, 'files are accessible to other users; run chmod go= on them');
  stopOnSignals(service.stop, log);
  // Whoever started us may have closed it, or it may be a full disk.
  process.stdout.on('error', error => {
    log.warn({ problem: error.message }, 'cannot print the start message');
    if (service.firstPassword)
      log.warn(
        `the initial admin password was not shown; set a new one: ${programName} admin reset-password`,
      );
  });
  process.stdout.write(banner(service, config));
  tellReady(sources.environment, service.url, log);
}
