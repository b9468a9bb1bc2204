#!/usr/bin/python3
# Stands in for flanneld on a host of the tests: reads the configuration from etcd, takes a lease for the host, writes the file that
# others read, makes a link, and says that it is ready. It moves no packets.
import base64
import json
import os
import signal
import socket
import subprocess
import urllib.request

settings = {name[9:]: value for name, value in os.environ.items() if name.startswith('FLANNELD_')}


def call(path, body):
    url = settings['ETCD_ENDPOINTS'].split(',')[0] + path
    with urllib.request.urlopen(url, json.dumps(body).encode(), timeout=5) as response:
        return json.load(response)


def encoded(text):
    return base64.b64encode(text.encode()).decode()


prefix, address = settings['ETCD_PREFIX'], settings['PUBLIC_IP']
found = call('/v3/kv/range', {'key': encoded(prefix + '/config')})['kvs'][0]['value']
network = json.loads(base64.b64decode(found))['Network']
first, second = network.split('.')[:2]
subnet = '.'.join([first, second, address.split('.')[3], '0'])
lease = call('/v3/lease/grant', {'TTL': '3600'})['ID']
value = json.dumps({'PublicIP': address, 'PublicIPv6': None, 'BackendType': 'vxlan'})
key = encoded(prefix + '/subnets/' + subnet + '-24')
call('/v3/kv/put', {'key': key, 'value': encoded(value), 'lease': lease})

subprocess.run(['ip', 'link', 'add', 'flannel.1', 'type', 'bridge'], check=False)
os.makedirs('/run/flannel', exist_ok=True)
with open('/run/flannel/subnet.env', 'w') as file:
    file.write('FLANNEL_NETWORK=%s\nFLANNEL_SUBNET=%s/24\nFLANNEL_MTU=1450\n' % (network, subnet[:-1] + '1'))

ready = os.environ['NOTIFY_SOCKET']
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
    systemd.sendto(b'READY=1', '\0' + ready[1:] if ready.startswith('@') else ready)
signal.sigwait([signal.SIGTERM])
