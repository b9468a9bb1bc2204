// Completion scripts. Each runs `hostler __complete -- WORDS…` and shows its output: `WORD<tab>DESCRIPTION`
// per line, or `:files`. The scripts run the program under the typed name, so that a program outside of the
// PATH completes itself.

/** Bash splits words at = and : and replaces only the last part, so the script removes the prefix before that part. */
const BASH = `# hostler completion for bash
_hostler() {
  local line="\${COMP_LINE:0:COMP_POINT}" current word description
  local -a words=()
  local IFS=$' \\t\\n'
  read -r -a words <<<"$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  current="\${words[\${#words[@]}-1]}"
  COMPREPLY=()
  while IFS=$'\\t' read -r word description; do
    if [[ "$word" == ":files" ]]; then
      compopt -o default 2>/dev/null
      return
    fi
    COMPREPLY+=("\${word#"\${current%"$2"}"}")
  done < <("$1" __complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -F _hostler hostler
`;

const ZSH = `#compdef hostler
# hostler completion for zsh
_hostler() {
  local -a described
  local word description
  while IFS=$'\\t' read -r word description; do
    if [[ "$word" == ":files" ]]; then
      compset -P '*='
      _files
      return
    fi
    described+=("\${word//:/\\\\:}:$description")
  done < <("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe hostler described
}
if [[ "\${funcstack[1]}" == "_hostler" ]]; then
  _hostler "$@"
else
  compdef _hostler hostler
fi
`;

const FISH = `# hostler completion for fish
function __hostler_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l found ($before[1] __complete -- $before[2..-1] "$current" 2>/dev/null)
    if test "$found[1]" = ":files"
        set -l prefix (string match -r '^[\\w-]+=(?:[\\w-]+=)?' -- "$current"; or echo)
        printf '%s\\n' "$prefix"(__fish_complete_path (string sub -s (math (string length -- "$prefix") + 1) -- "$current"))
    else
        printf '%s\\n' $found
    end
end
complete -c hostler -f -a '(__hostler_complete)'
`;

export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const;
export type Shell = keyof typeof SCRIPTS;
