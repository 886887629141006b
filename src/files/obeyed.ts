/** What runs in a vault most of all: a sandbox keeps them from being made, and leaves an empty folder for each. */
export const heldFolders = ['.git', '.interlinear', '.obsidian'] as const;

/** Folders that other programs obey, or run something of, wherever they are pointed at the folder above. */
export const obeyedFolders = [
  ...heldFolders,
  ...['.vscode', '.idea', '.zed', '.cursor', '.claude', '.devcontainer', '.husky', '.cargo'],
] as const;

/** The same of files, and of what lies in a person’s own folder. */
export const obeyedFiles = [
  ...['.gitmodules', '.gitconfig', '.pre-commit-config.yaml', '.envrc', '.mise.toml', '.mcp.json'],
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.condarc', '.bazelrc'],
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.inputrc'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.cshrc', '.tcshrc', '.kshrc', '.xinitrc'],
  ...['.vimrc', '.gvimrc', '.nvimrc', '.exrc', '.emacs', '.emacs.d', '.tmux.conf', '.screenrc', '.ssh'],
  'Microsoft.PowerShell_profile.ps1',
] as const;

/** Words that also mean something else: only as a part of a path. */
export const obeyedPaths = [
  ...['.profile', '.login', '.config', '.local'],
  ...['Library/LaunchAgents', 'Library/LaunchDaemons', 'Start Menu/Programs/Startup'],
] as const;
