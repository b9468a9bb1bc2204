import { TransportFailure } from '../../domain/transport-failure.ts';
import type { Patience } from '../../domain/work/patience.ts';
import type { WorkOf } from '../../domain/work/work.ts';
import { afterFailure, done, failed, retryOnScriptError } from '../outcomes.ts';
import { rootProblem, WHO_AM_I } from '../root.ts';
import { runAll } from '../run-all.ts';
import type { Step } from '../step.ts';
import { ASK_TIMEOUT_MS, INSTALL_TIMEOUT_MS } from '../time-limits.ts';

/** Makes sure that we may do what has to be done there, and installs the little that later commands need. */
export const prepare = (patience: Patience): Step<WorkOf<'bootstrap'>> => ({
  name: 'install_prerequisites',
  patience,
  async run(context) {
    const { link, os, host } = context;
    const who = await link.run(WHO_AM_I, { timeoutMs: ASK_TIMEOUT_MS, asRoot: true });
    if (who instanceof TransportFailure) return afterFailure(who);
    const notRoot = rootProblem(who);
    if (notRoot !== undefined) return failed(`not_root: ${notRoot}`);
    const driver = os.drivers.find(candidate => candidate.type === host.osDriver);
    if (driver === undefined)
      return failed(`unsupported_os: the driver ${host.osDriver} is no longer available`);
    const packages = driver.ownPackages;
    const commands = packages.length === 0 ? [] : driver.install(packages);
    if (commands === undefined) return failed(`packages_not_supported: ${host.os} cannot install packages`);
    const problem = await runAll(context, commands, INSTALL_TIMEOUT_MS, retryOnScriptError);
    return problem ?? done({ packages: packages.join(' ') });
  },
});
