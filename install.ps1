# Installs memo for this user: downloads the archive, checks its SHA-256, and puts one file in
# %LOCALAPPDATA%\Programs\memo.
#
#   install.ps1 [-Version 1.2.3] [-To folder]
#   install.ps1 -Uninstall [-Purge] [-To folder]
#
# MEMO_RELEASES  where releases are: an https address, or this machine
# MEMO_INSTALL   the folder to install to

param(
  [string] $Version,
  [string] $To = $(if ($env:MEMO_INSTALL) { $env:MEMO_INSTALL } else { Join-Path $env:LOCALAPPDATA 'Programs\memo' }),
  [switch] $Uninstall,
  [switch] $Purge
)

$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue' # Windows PowerShell takes longer to draw it than to download
$releases = if ($env:MEMO_RELEASES) { $env:MEMO_RELEASES } else { '{{releases}}' }
$memo = Join-Path $To 'memo.exe'

function Stop-With([string] $Message, [string] $Hint) {
  $text = "error: $Message"
  if ($Hint) { $text += "`n`nhint: $Hint" }
  throw $text
}

function Get-Release([string] $Address, [string] $File) {
  if ($Address -notmatch '^(https://|http://(127\.0\.0\.1|localhost|\[::1\]):)') {
    Stop-With "Cannot download ``$Address``: it is neither https nor this machine" 'Set `MEMO_RELEASES` to an https address'
  }
  Invoke-WebRequest -UseBasicParsing -Uri $Address -OutFile $File
}

function Install-Memo {
  if ($releases.Contains('{{')) {
    Stop-With 'Cannot download memo: this installer has no address of releases' 'Set `MEMO_RELEASES` to their address'
  }
  # Windows on ARM64 runs this build too.
  $archive = 'memo-win32-x64.zip'
  $from = if ($Version) { "$releases/download/v$($Version.TrimStart('v'))" } else { "$releases/latest/download" }
  New-Item -ItemType Directory -Force -Path $To | Out-Null
  $work = Join-Path $To ('.memo-install-' + [guid]::NewGuid())
  New-Item -ItemType Directory -Path $work | Out-Null
  try {
    Write-Output "Downloading $from/$archive"
    Get-Release "$from/SHA256SUMS" "$work\SHA256SUMS"
    Get-Release "$from/$archive" "$work\$archive"
    $line = Get-Content "$work\SHA256SUMS" | Where-Object { $_ -match "^([0-9a-f]{64})  $([regex]::Escape($archive))$" }
    if (-not $line) { Stop-With "Cannot check ``$archive``: ``SHA256SUMS`` does not list it" }
    $expected = $line.Substring(0, 64)
    $found = (Get-FileHash -Algorithm SHA256 "$work\$archive").Hash.ToLower()
    if ($expected -ne $found) {
      Stop-With "Cannot install ``$archive``: its SHA-256 is $found, not $expected" 'Nothing was installed; try again later'
    }
    Expand-Archive -Path "$work\$archive" -DestinationPath "$work\files"
    $said = & "$work\files\memo.exe" --version
    if ($LASTEXITCODE -ne 0) { Stop-With 'Cannot run memo on this machine' }
    if (Test-Path $memo) { & $memo daemon stop 2>$null } # a running file cannot be replaced
    Move-Item -Force "$work\files\memo.exe" $memo
    Write-Output "Installed $(@($said)[0]) as $memo"
  } finally {
    Remove-Item -Recurse -Force $work -ErrorAction SilentlyContinue
  }
  $path = [Environment]::GetEnvironmentVariable('Path', 'User')
  if (($path -split ';') -notcontains $To) {
    [Environment]::SetEnvironmentVariable('Path', (@($path, $To) | Where-Object { $_ }) -join ';', 'User')
    $env:Path += ";$To"
    Write-Output "Added $To to your PATH; restart other open shells to use it"
  }
  Write-Output "`nNext:       memo init`nUninstall:  install.ps1 -Uninstall -Purge"
}

function Uninstall-Memo {
  if (-not (Test-Path $memo)) { Stop-With "Cannot uninstall memo: it is not in ``$To``" 'Pass its folder with `-To`' }
  $options = @('uninstall')
  if ($Purge) { $options += '--purge' }
  & $memo @options
  if ($LASTEXITCODE -ne 0) { Stop-With 'Cannot uninstall memo: its hooks could not be removed' 'Run `memo doctor`' }
  & $memo daemon stop 2>$null
  Remove-Item -Force $memo
  if (-not (Get-ChildItem -Force $To)) { Remove-Item $To }
  $path = [Environment]::GetEnvironmentVariable('Path', 'User')
  $left = ($path -split ';' | Where-Object { $_ -and $_ -ne $To }) -join ';'
  if ($left -ne $path) { [Environment]::SetEnvironmentVariable('Path', $left, 'User') }
  Write-Output "Deleted $memo"
}

if ($Uninstall) { Uninstall-Memo } else { Install-Memo }
