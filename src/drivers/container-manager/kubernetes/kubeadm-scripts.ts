// What hosts run to join and to leave by kubeadm: POSIX shell scripts for dash, bash and busybox. What must hold: the token is in no
// list of processes and in no file that others can read, and in none at all afterwards; a host that is in another cluster is left
// alone; each may be run again, also after it was broken off.

/** In memory, and for root alone. */
const FOLDER = '/run/hostler-join';
const JOIN_CONFIG = `${FOLDER}/kubeadm.yaml`;
/** The kubelet has it once it was let in. */
const KUBELET_CONF = '/etc/kubernetes/kubelet.conf';
/** The kubelet has it before. */
const BOOTSTRAP_CONF = '/etc/kubernetes/bootstrap-kubelet.conf';
/** A host that has it is of the control plane. */
const API_SERVER_MANIFEST = '/etc/kubernetes/manifests/kube-apiserver.yaml';

/** The server that the kubelet calls: `server`. */
const READ_SERVER = `server=
while read -r key value; do
  [ "$key" != server: ] || server=$value
done <${KUBELET_CONF}`;

/**
 * Writes what `kubeadm join` is to read, in the version that this kubeadm knows: from v1beta4 on arguments are a list. Given the
 * address of the host, the endpoint of the API and the hashes of its authorities; it reads the token.
 */
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

// A kubelet whose node was deleted makes it anew when it is started.
/** Joins the host, or has its kubelet turn up again if it has joined before. Given the URL of the API, as the kubelet has it. */
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

/** Undoes that. Given the same. */
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
