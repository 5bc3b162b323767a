@echo off
rem Starts Portolan on Windows: with the Java in the folder runtime beside this file, that of JAVA_HOME, or the one on
rem the PATH. It must be a Java 25.
setlocal
set "java=java.exe"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java.exe"
if exist "%~dp0runtime\bin\java.exe" set "java=%~dp0runtime\bin\java.exe"
"%java%" "@%~dp0java.options" -jar "%~dp0lib\portolan-cli.jar" %*
exit /b %errorlevel%
