// Where the parts of an agent are on a host, as lines of the scripts that make and remove it.

export const UNIT = 'k3s-agent.service';

/** The first line of files that were written from here. A unit of k3s' own installer is used as it is. */
export const MARK = '# Written by Hostler. It is removed when the host leaves.';

/** Then the name of the container manager that the host has joined: it may join another before it has left this one. */
export const OWNER = '# For the container manager ';

/**
 * `pending`: the agent has to be started again. `downloaded`: the path of the binary, where it came from here. sudo may leave out the
 * folders that k3s is installed in.
 */
export const AGENT_FILES = `PATH=$PATH:/usr/local/bin:/opt/bin
folder=/etc/rancher/k3s
config=$folder/config.yaml.d/hostler.yaml
pending=$folder/hostler.pending
downloaded=$folder/hostler.downloaded
unit=/etc/systemd/system/${UNIT}
has_server() { [ -e /var/lib/rancher/k3s/server ] || systemctl cat k3s.service >/dev/null 2>&1; }
fail() { printf '%s\\n' "$1" >&2; exit 1; }`;
