import type { SystemdHost } from './systemd-host.ts';

const UNIT = `[Unit]
Documentation=https://github.com/coreos/zincati
[Service]
ExecStartPre=/usr/bin/rpm-ostree deploy --register-driver=Zincati ""
ExecStart=/bin/sleep infinity
`;

/** From now on, as on Fedora CoreOS, somebody upgrades the host by itself and has said so to rpm-ostree: others are refused. */
export async function startUpdateDriver(host: SystemdHost): Promise<void> {
  await host.write('/etc/systemd/system/zincati.service', UNIT);
  await host.must(['systemctl', 'start', 'zincati.service']);
}
