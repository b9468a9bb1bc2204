import type { HostTask } from '../../host-task.ts';
import type { ContainerManagerRecord } from '../container-manager.ts';
import { AGENT_FILES, MARK, OWNER, UNIT } from './agent-files.ts';

/** An agent leaves its containers running when it is stopped. The script of k3s' own installer ends them, where it is there. */
const END_CONTAINERS = `tree() {
  for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do tree "$child"; done
  echo "$1"
}
end_containers() {
  if command -v k3s-killall.sh >/dev/null; then
    k3s-killall.sh >/dev/null 2>&1 || :
    return
  fi
  doomed=
  for process in /proc/[0-9]*; do
    case $(readlink "$process/exe" 2>/dev/null || :) in
      */k3s/data/*/bin/containerd-shim*) doomed="$doomed $(tree "\${process#/proc/}")" ;;
    esac
  done
  [ -z "$doomed" ] || kill -9 $doomed 2>/dev/null || :
  while read -r device place rest; do
    case $place in /run/k3s/* | /run/netns/cni-* | /var/lib/kubelet/*) printf '%s\\n' "$place" ;; esac
  done </proc/mounts | sort -r |
    while read -r place; do umount "$place" || :; done
  # Another cluster has other addresses for it.
  ip link delete cni0 2>/dev/null || :
}`;

/** Undoes what joining the container manager in its argument did. Images stay, and so does what an installer has brought; rules of the firewall go with the next boot. */
const LEAVE = `set -eu
${AGENT_FILES}
${END_CONTAINERS}
! has_server || exit 0
# It may have joined another since.
[ ! -e "$config" ] || grep -qxF "${OWNER}$1" "$config" || exit 0
if systemctl cat ${UNIT} >/dev/null 2>&1; then
  systemctl -q disable --now ${UNIT}
  end_containers
fi
if grep -qsxF '${MARK}' "$unit"; then
  rm -f "$unit"
  systemctl daemon-reload
fi
case $(cat "$downloaded" 2>/dev/null) in
  /usr/local/bin/k3s) rm -f /usr/local/bin/k3s ;;
  /opt/bin/k3s) rm -f /opt/bin/k3s ;;
esac
rm -f "$config" "$pending" "$downloaded" "$folder/hostler.new" /etc/rancher/node/password
rm -f /var/lib/rancher/k3s/agent/*.key /var/lib/rancher/k3s/agent/*.crt /var/lib/rancher/k3s/agent/*.kubeconfig`;

export const k3sLeaveTask = ({ name }: Pick<ContainerManagerRecord, 'name'>): HostTask => ({
  needs: [],
  hint: '',
  commands: [{ argv: ['sh', '-c', LEAVE, 'sh', name] }],
});
