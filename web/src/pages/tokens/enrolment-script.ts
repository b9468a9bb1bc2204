/**
 * Script for the end of the first boot, as in docs/guides/enrolment-tokens.md. The secret is in a file because all
 * users can read command lines.
 */
export const enrolmentScript = (url: string, secret: string, publicKey: string): string => `umask 077
mkdir -p /root/.ssh
echo '${publicKey}' >> /root/.ssh/authorized_keys
echo 'user = "token:${secret}"' > /run/hostler-token
KEYS=$(awk '/^(ssh-ed25519|ssh-rsa|ecdsa-)/ { printf "\\"%s %s\\",", $1, $2 }' /etc/ssh/ssh_host_*_key.pub)
printf '{"host_keys": [%s]}' "\${KEYS%,}" |
  curl -sS --fail-with-body --retry 30 --retry-connrefused -K /run/hostler-token \\
    -X PUT '${url}/api/v0/host' -H 'Content-Type: application/json' -d @-
rm /run/hostler-token
`;
