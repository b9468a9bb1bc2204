// POSIX shell scripts (dash, bash, busybox) that join hosts with kubeadm and reset them. The token must not appear in
// the process list or in a file that others can read, and no file may contain it afterwards. A host of another cluster
// is not changed. All scripts are safe to repeat, also after an interruption.

/** On tmpfs, readable only by root. */
const FOLDER = '/run/hostler-join';
const JOIN_CONFIG = `${FOLDER}/kubeadm.yaml`;
const KUBELET_CONF = '/etc/kubernetes/kubelet.conf';
const BOOTSTRAP_CONF = '/etc/kubernetes/bootstrap-kubelet.conf';
const API_SERVER_MANIFEST = '/etc/kubernetes/manifests/kube-apiserver.yaml';

const READ_SERVER = `server=
while read -r key value; do
  [ "$key" != server: ] || server=$value
done <${KUBELET_CONF}`;

// Writes the configuration in the version that the installed kubeadm supports; from v1beta4 on, arguments are a list.
/** Arguments: address of the host, API endpoint, CA hashes. Standard input: the token. */
export const WRITE_JOIN_CONFIG = `umask 077
read -r token || exit 1
address=$1
endpoint=$2
shift 2
[ ! -e ${KUBELET_CONF} ] || exit 0
version=$(kubeadm config print join-defaults </dev/null | while read -r key value; do
  if [ "$key" = apiVersion: ]; then
    printf '%s\\n' "$value"
    break
  fi
done)
case $version in
kubeadm.k8s.io/v1beta[123]) pattern='    node-ip: "%s"\\n' ;;
kubeadm.k8s.io/v[0-9]*) pattern='  - name: node-ip\\n    value: "%s"\\n' ;;
*)
  printf 'cannot determine the configuration version of kubeadm\\n' >&2
  exit 1
  ;;
esac
[ -d ${FOLDER} ] || mkdir -m 0700 ${FOLDER} || exit 1
{
  printf 'apiVersion: %s\\nkind: JoinConfiguration\\n' "$version"
  printf 'discovery:\\n  bootstrapToken:\\n'
  printf '    apiServerEndpoint: "%s"\\n    token: "%s"\\n' "$endpoint" "$token"
  printf '    caCertHashes:\\n'
  for hash; do printf '    - "%s"\\n' "$hash"; done
  printf 'nodeRegistration:\\n  kubeletExtraArgs:\\n'
  printf "$pattern" "$address"
} >${JOIN_CONFIG}.new && mv ${JOIN_CONFIG}.new ${JOIN_CONFIG}`;

/** A host that has joined before restarts its kubelet, which creates its node again. Argument: API server URL. */
export const KUBEADM_JOIN = `trap 'rm -rf ${FOLDER}' EXIT
trap 'exit 143' HUP INT TERM
systemctl enable kubelet || exit 1
if [ -e ${KUBELET_CONF} ]; then
  ${READ_SERVER}
  if [ "$server" != "$1" ]; then
    printf 'the host is a node of another cluster, %s: remove it there first (kubeadm reset)\\n' "$server" >&2
    exit 1
  fi
  systemctl restart kubelet
  exit
fi
[ ! -e ${BOOTSTRAP_CONF} ] || kubeadm reset --force
kubeadm join --config ${JOIN_CONFIG}`;

/** Reverts the join. Argument: API server URL. */
export const KUBEADM_RESET = `rm -rf ${FOLDER}
command -v kubeadm >/dev/null 2>&1 || exit 0
if [ -e ${API_SERVER_MANIFEST} ]; then
  printf 'the host runs control plane components, which Hostler does not remove\\n' >&2
  exit 0
fi
if [ -e ${KUBELET_CONF} ]; then
  ${READ_SERVER}
  [ "$server" = "$1" ] || exit 0
elif [ ! -e ${BOOTSTRAP_CONF} ]; then
  exit 0
fi
kubeadm reset --force && systemctl disable kubelet`;
