#!/bin/sh
# Builds the programs of Kubernetes from Debian's source package, which has all that they need in it. Debian itself packages only the
# client. Arguments: the folder to fill, then the programs; the archive's lines for a sources.list are the input. Takes ten minutes and
# more on two cores, and two gigabytes while it runs.
set -e
folder=$1 work=$1/work
shift
mkdir -p "$work/source" "$work/lists/partial" "$work/gopath/src/k8s.io"
sed 's/^deb /deb-src /' >"$work/sources.list"
# With lists of its own: what this machine installs from stays as it is.
apt() {
  apt-get -q -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$work/lists" \
    -o APT::Sandbox::User=root "$@"
}
cd "$work/source"
apt update
apt source --download-only kubernetes
tar xzf kubernetes_*.orig.tar.gz
tree=$(echo kubernetes-*/)
version=${tree#kubernetes-} version=${version%/}
mv "$tree" "$work/gopath/src/k8s.io/kubernetes"
cd "$work/gopath/src/k8s.io/kubernetes"

# The copies of these two in it panic when built with Go 1.18 or later, on the first pod. Debian has newer ones.
for package in modern-go/reflect2 json-iterator/go; do
  rm -rf "vendor/github.com/$package"
  cp -r "/usr/share/gocode/src/github.com/$package" "vendor/github.com/$package"
  find "vendor/github.com/$package" -name '*_test.go' -delete
  find "vendor/github.com/$package" -mindepth 1 -type d \( -name '*_tests' -o -name '*test' -o -name benchmarks \) -prune -exec rm -r {} +
done

# No module mode: it wants to write another go.mod first.
export GOPATH="$work/gopath" GOCACHE="$work/gocache" GOPROXY=off CGO_ENABLED=0 GO111MODULE=off
go build -o "$work/openapi-gen" k8s.io/kubernetes/vendor/k8s.io/kube-openapi/cmd/openapi-gen
described=$(grep -rlE '^// ?\+k8s:openapi-gen=' --include='*.go' pkg staging/src cmd |
  grep -vE '_test\.go|zz_generated|code-generator|sample-|/test|examples' | xargs -n1 dirname | sort -u |
  sed -e 's#^staging/src/#k8s.io/kubernetes/vendor/#' -e 's#^pkg/#k8s.io/kubernetes/pkg/#' -e 's#^cmd/#k8s.io/kubernetes/cmd/#' |
  paste -sd, -)
"$work/openapi-gen" -O zz_generated.openapi -p k8s.io/kubernetes/pkg/generated/openapi -i "$described" -r "$work/violations" \
  --go-header-file hack/boilerplate/boilerplate.generatego.txt

# Else they say that they are version 0.0.0.
minor=${version#*.} minor=${minor%%.*} flags='-s -w'
for package in component-base/version client-go/pkg/version; do
  named=k8s.io/kubernetes/vendor/k8s.io/$package
  flags="$flags -X $named.gitVersion=v$version -X $named.gitMajor=${version%%.*} -X $named.gitMinor=$minor"
done
for program; do go build -o "$folder/$program" -ldflags "$flags" "k8s.io/kubernetes/cmd/$program"; done
rm -rf "$work"
