/** A few line icons for places where React does not draw: the shapes of lucide (ISC licence). */
const shapes = {
  check: 'M20 6 9 17l-5-5',
  x: 'M18 6 6 18M6 6l12 12',
  ban: 'M4.9 4.9l14.2 14.2M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Z',
  hand: 'M18 11V6a2 2 0 0 0-4 0M14 10V4a2 2 0 0 0-4 0v2M10 10.500V6a2 2 0 0 0-4 0v8M18 8a2 2 0 1 1 4 0v6a8 8 0 0 1-8 8h-2c-2.800 0-4.500-.86-5.990-2.340l-3.600-3.600a2 2 0 0 1 2.830-2.820L7 15',
  unplug:
    'm19 5 3-3M2 22l3-3M6.3 20.3a2.4 2.4 0 0 0 3.4 0L12 18l-6-6-2.3 2.3a2.4 2.4 0 0 0 0 3.4ZM7.5 13.500 10 11M10.500 16.500 13 14M12 6l6 6 2.300-2.300a2.400 2.400 0 0 0 0-3.400l-2.600-2.600a2.400 2.400 0 0 0-3.400 0Z',
  chevron: 'm9 18 6-6-6-6',
  copy: 'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2ZM4 16a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2',
  rerun: 'M3 12a9 9 0 1 0 9-9 9.750 9.750 0 0 0-6.740 2.740L3 8M3 3v5h5',
  history: 'M3 12a9 9 0 1 0 9-9 9.750 9.750 0 0 0-6.740 2.740L3 8M3 3v5h5M12 7v5l4 2',
  pencil:
    'M21.200 6.800a1 1 0 0 0-4-4L3.800 16.200a2 2 0 0 0-.5.800L2 21.400a.5.5 0 0 0 .600.600l4.400-1.300a2 2 0 0 0 .800-.500ZM15 5l4 4',
  code: 'm16 18 6-6-6-6M8 6l-6 6 6 6',
  play: 'M6 4v16l14-8Z',
  square: 'M5 5h14v14H5Z',
  swap: 'm16 3 4 4-4 4M20 7H4M8 21l-4-4 4-4M4 17h16',
  columns: 'M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2ZM12 3v18',
  branch: 'M6 3v12M18 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM6 15a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM18 9a9 9 0 0 1-9 9',
  trash:
    'M3 6h18M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2M10 11v6M14 11v6',
  clip: 'm16 6-8.414 8.586a2 2 0 0 0 2.829 2.829l8.414-8.586a4 4 0 1 0-5.657-5.657l-8.379 8.551a6 6 0 1 0 8.485 8.485l8.379-8.551',
  brain:
    'M12 18V5M15 13a4.170 4.170 0 0 1-3-4 4.170 4.170 0 0 1-3 4M17.600 6.500A3 3 0 1 0 12 5a3 3 0 1 0-5.600 1.500M18 5.100a4 4 0 0 1 2.500 5.800M18 18a4 4 0 0 0 2-7.500M20 17.500A4 4 0 1 1 12 18a4 4 0 1 1-8-.500M6 18a4 4 0 0 1-2-7.500M6 5.100a4 4 0 0 0-2.500 5.800',
  alert: 'M12 8v4M12 16h.010M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Z',
  image:
    'M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2ZM9 7a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM21 15l-3.100-3.100a2 2 0 0 0-2.800 0L6 21',
  'image-off':
    'm2 2 20 20M10.400 10.400a2 2 0 1 1-2.800-2.800M13.500 13.500 6 21M18 12l3 3M3.600 3.600A2 2 0 0 0 3 5v14a2 2 0 0 0 2 2h14c.600 0 1-.200 1.400-.600M21 15V5a2 2 0 0 0-2-2H9',
  sliders: 'M21 4h-7M10 4H3M21 12h-9M8 12H3M21 20h-5M12 20H3M14 2v4M8 10v4M16 18v4',
} as const;

export type IconName = keyof typeof shapes;

export function icon(name: IconName, size = 14): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('width', `${size}`);
  svg.setAttribute('height', `${size}`);
  svg.setAttribute('class', `cm-icon cm-icon-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', shapes[name]);
  svg.append(path);
  return svg;
}
