import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { AppError } from '../contract/errors';

type Environment = Readonly<Record<string, string | undefined>>;

export function hasDisplay(environment: Environment, platform: NodeJS.Platform = process.platform): boolean {
  return platform !== 'linux' || Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY);
}

/** Opens a page of ours: a window without browser bars where a Chromium is found, else a tab of the default browser. */
export async function openWindow(url: string, environment: Environment): Promise<'window' | 'tab'> {
  const chromium = findChromium(environment);
  if (chromium && (await started(chromium, [`--app=${url}`]))) return 'window';
  await openInBrowser(url, environment);
  return 'tab';
}

/** The address reaches the system's opener as one argument, through no shell. */
export async function openInBrowser(url: string, environment: Environment): Promise<void> {
  const [command, ...args] = openerFor(process.platform);
  if (!hasDisplay(environment) || !(await started(command, [...args, url]))) {
    throw new AppError('host.unsupported', 'There is no browser to open this in.', {
      feature: 'open a browser',
    });
  }
}

function openerFor(platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}

/** Whether the program could be started; it lives on without us. */
function started(command: string, args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { detached: true, stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

export function findChromium(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  return candidates(environment, platform).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function candidates(environment: Environment, platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (platform === 'win32') {
    const roots = [environment.PROGRAMFILES, environment['PROGRAMFILES(X86)'], environment.LOCALAPPDATA];
    const programs = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'];
    return roots.flatMap((root) => (root ? programs.map((program) => join(root, program)) : []));
  }
  const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge'];
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}
